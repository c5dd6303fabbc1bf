"""Signatures of packages: a statement about the bytes, signed with Ed25519 and carried as the last member."""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tock_companion.files import replace_file
from tock_companion.machine.deb_archive import layout_of, signature_member
from tock_companion.machine.package_contents import Contents, contents_of
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.signing_keys import TrustedKey, fingerprint_of

_CHUNK_BYTES = 1 << 20
# Whole and strict: a statement can be read in one way only.
_FORM = re.compile(
    r"tock-package-signature 1\n"
    r"package: (?P<name>[a-z0-9][a-z0-9+.-]{0,60})\n"
    r"version: (?P<version>[0-9][A-Za-z0-9.+~-]{0,60})\n"
    r"architecture: (?P<architecture>[a-z0-9-]{1,20})\n"
    r"size: (?P<size>[0-9]{1,10})\n"
    r"sha256: (?P<sha256>[0-9a-f]{64})\n"
    r"(?P<scripts>(script: [a-z]{1,20} [0-9a-f]{64}\n){0,5})"
    r"key: (?P<key>[0-9a-f]{64})\n"
)
_SIGNATURE = re.compile(r"signature: ([A-Za-z0-9+/]{86}==)\n")


@dataclass(frozen=True, slots=True)
class Statement:
    """The signer's statement about a package."""

    name: str
    version: str
    architecture: str
    size: int
    sha256: str
    """Of all bytes before the signature."""
    scripts: Mapping[str, str]
    """The SHA-256 of each script that dpkg runs, by its name."""
    key: str
    """The fingerprint of the signer's public key."""

    def text(self) -> str:
        """The signed bytes, exactly."""
        scripts = "".join(f"script: {name} {digest}\n" for name, digest in sorted(self.scripts.items()))
        return (
            f"tock-package-signature 1\npackage: {self.name}\nversion: {self.version}\n"
            f"architecture: {self.architecture}\nsize: {self.size}\nsha256: {self.sha256}\n"
            f"{scripts}key: {self.key}\n"
        )

    def is_about(self, contents: Contents) -> bool:
        """Whether this matches the package's description of itself."""
        described = (self.name, self.version, self.architecture, self.scripts)
        return described == (contents.name, contents.version, contents.architecture, contents.scripts)


def verified(file: BinaryIO, keys: Mapping[str, TrustedKey]) -> tuple[Statement, int, bytes]:
    """A trusted signer's statement about a file, the size of the package in it, and the raw signature.

    Raises RefusedError: not signed, by a stranger, changed since, cut off, or not a package.
    """
    layout = layout_of(file)
    if layout.signature is None:
        raise RefusedError("update/unsigned")
    statement = signed_statement(layout.signature, keys)
    require_bytes(file, layout.package_bytes, statement)
    return statement, layout.package_bytes, layout.signature


def signed_statement(signature: bytes, keys: Mapping[str, TrustedKey]) -> Statement:
    """Read a signature and hold it against the key that it names; RefusedError where that key is not trusted."""
    text, _, _ = signature.decode("ascii", "replace").partition("signature: ")
    found = _FORM.fullmatch(text)
    signed = _SIGNATURE.fullmatch(signature.decode("ascii", "replace")[len(text) :])
    if found is None or signed is None:
        raise RefusedError("update/changed")
    key = keys.get(found["key"])
    if key is None:
        raise RefusedError("update/stranger", key=found["key"][:16])
    try:
        key.public.verify(base64.b64decode(signed[1]), text.encode())
    except InvalidSignature:
        raise RefusedError("update/changed") from None
    scripts = (line.split(" ") for line in found["scripts"].splitlines())
    return Statement(
        found["name"],
        found["version"],
        found["architecture"],
        int(found["size"]),
        found["sha256"],
        {name: digest for _, name, digest in scripts},
        found["key"],
    )


def require_bytes(file: BinaryIO, size: int, statement: Statement) -> None:
    """Raise RefusedError unless the first `size` bytes of a file are the signed ones."""
    if size != statement.size or _digest(file, size) != statement.sha256:
        raise RefusedError("update/changed")


def sign(path: Path, private: Ed25519PrivateKey) -> Statement:
    """Sign a package in place; replaces an existing signature.

    Raises RefusedError for a package that a machine would refuse whatever the signature.
    """
    with path.open("rb") as file:
        size = layout_of(file).package_bytes
        file.seek(0)
        package = file.read(size)
    statement = statement_of(package, contents_of(path), private)
    replace_file(path, package + signed_member(statement, private), 0o644)
    # Everybody may read it, apt's own user too, whatever the umask of a command that writes hands and passwords.
    path.chmod(0o644)
    return statement


def statement_of(package: bytes, contents: Contents, private: Ed25519PrivateKey) -> Statement:
    """A key holder's statement about a package and its contents."""
    return Statement(
        contents.name,
        contents.version,
        contents.architecture,
        len(package),
        hashlib.sha256(package).hexdigest(),
        contents.scripts,
        fingerprint_of(private.public_key()),
    )


def signed_member(statement: Statement, private: Ed25519PrivateKey) -> bytes:
    """The bytes appended to a package to sign it."""
    text = statement.text()
    signature = base64.b64encode(private.sign(text.encode())).decode()
    return signature_member(f"{text}signature: {signature}\n".encode())


def _digest(file: BinaryIO, size: int) -> str:
    digest = hashlib.sha256()
    file.seek(0)
    while size > 0 and (chunk := file.read(min(_CHUNK_BYTES, size))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.hexdigest()
