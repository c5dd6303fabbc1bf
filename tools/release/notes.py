"""Writes the files beside the packages of a release: checksums, and a text with changes and how to install."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tools.release.changelog import Section

_INSTALL = """## Install, update · Installer, mettre à jour

On a machine / Sur la machine :

```sh
sudo apt install --no-install-recommends ./{name}
```

From the host's page, under *Machine*: send the `.tar` file, or put the folder `apt` onto a USB stick. · Depuis la page
de l'hôte, sous *Machine* : envoie le fichier `.tar`, ou mets le dossier `apt` sur une clé USB.
"""


def sums(packages: Sequence[Path]) -> str:
    """Return the lines of SHA256SUMS, for `sha256sum --check`."""
    return "".join(f"{_sha256(package)}  {package.name}\n" for package in packages)


def notes(section: Section, packages: Sequence[Path], commit: str) -> str:
    """Return the release notes: the changelog's section, and a family's installation steps."""
    table = "".join(
        f"| `{package.name}` | {package.stat().st_size / 1e6:.1f} MB | `{_sha256(package)}` |\n"
        for package in packages
    )
    return (
        f"# Tock Companion {section.version}\n\n{section.date}, commit `{commit}`.\n\n"
        f"{section.body.replace('### ', '## ')}\n\n{_INSTALL.format(name=packages[-1].name)}\n"
        f"| package | size | SHA-256 |\n|---|---:|---|\n{table}"
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
