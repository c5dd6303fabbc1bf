"""Adds pages to the site that are generated while it is built: the statements of the games of the family."""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages; `mkdocs` calls this when it has read the folder."""
    sys.path.insert(0, str(ROOT))
    from tools.rule_pages import FOLDER, site_pages  # noqa: PLC0415 - `mkdocs` starts without the repository

    for path, text in site_pages().items():
        files.append(File.generated(config, f"{FOLDER.name}/{path.name}", content=text))
    return files
