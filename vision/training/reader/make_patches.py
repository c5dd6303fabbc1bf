"""Makes the patches that the network of the reader is trained on.

`python -m vision.training.reader.make_patches stills|drawn OUT.npz …`.

`stills` cuts them from pictures with ground truth, `drawn` from pictures drawn in styles of all kinds.
Arrays in the file: X patches (uint8, 64 = as bright as the light around), S outlines, Y state (0 empty, 1 pawn,
2 hidden), C colour or -1, V visible share, B board number (0 for drawn, -1 where
outlines are a guess), R number of the picture, P place (kind of
the hole and its owner's colour, as in `context.places`), O owner or -1, -2 beside the holes; for each picture E
(usual empty look) and LC (colour of the light). `stills` reads the folders that `scenes.py` writes, too.
"""

import argparse
from pathlib import Path

from vision.training.reader.cut_patches import from_stills
from vision.training.reader.drawn_patches import from_renderer


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("stills", "drawn"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--folder", type=Path, help="folder with boards/ and stills.jsonl")
    parser.add_argument("--count", type=int, default=300, help="looks to draw, two pictures each")
    parser.add_argument("--times", type=int, default=3, help="views of each still")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.kind == "stills":
        from_stills(args.folder, args.times, args.seed).save(args.out)
    else:
        from_renderer(args.count, args.seed, args.folder).save(args.out)


if __name__ == "__main__":
    main()
