"""The settings of the sources with a picture, `[sources.camera]` and `[sources.simulated]`."""

from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from tock_companion.errors import quoted
from tock_companion.schema import A_NAME, A_PATH, Schema

MAX_SIDE_PX = 4096
MAX_PICTURES = 20
MAX_DEVICE = 255
URL_SCHEMES = ("http", "https", "rtsp")
ORIGINS = ("device", "video", "frames", "url", "phone")


def _device(value: object) -> int | str:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_DEVICE:
        return value
    raise ValueError(
        f"must be a number from 0 to {MAX_DEVICE}, a path under /dev, or 'ribbon', not {quoted(value)}"
    )


def _camera_url(value: str) -> str:
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in URL_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    # A sign of the password ends the host's part, and the rest of the password is in the path.
    is_cut = is_address and ":" in parts.netloc and "@" not in parts.netloc and "@" in value
    # The address is not quoted: it may hold a password.
    if not is_address or is_cut or not value.isprintable() or " " in value:
        raise ValueError(
            "must be like http://camera/stream or rtsp://user:password@camera/stream; in a password write # as %23, "
            "/ as %2F, ? as %3F, @ as %40, [ as %5B, ] as %5D, % as %25 and a space as %20"
        )
    return value


_Url: TypeAlias = Annotated[str, Field(max_length=2000), AfterValidator(_camera_url)]
_Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), A_NAME]
_Path: TypeAlias = Annotated[str, Field(min_length=1), A_PATH]


class CalibrationPicture(Schema):
    """A picture by the same camera of the empty board, or with all pawns in their camps."""

    image: _Path
    what: Literal["empty", "camps"]


class CameraSettings(Schema):
    """Frames come from a `device` (number, path, `ribbon`), a `video` file, a folder of `frames`, a `url` or a `phone`.

    `state` is the calibration file (`tock board learn` or the set-up makes it).
    """

    name: _Name = "camera"
    device: Annotated[object, AfterValidator(_device)] = None
    video: _Path | None = None
    frames: _Path | None = None
    url: _Url | None = None
    """A camera on the network: MJPEG or JPEG over `http://`, or `rtsp://`; it may hold user and password."""
    certificate: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    """The fingerprint of the certificate that a camera at `https://` made itself; `tock doctor` prints it."""
    phone: Literal[True] | None = None
    """The host lets a phone in, whose page sends the pictures."""
    fps: Annotated[float, Field(ge=0.2, le=60.0)] = 10.0
    width: Annotated[int, Field(ge=160, le=MAX_SIDE_PX)] = 1280
    height: Annotated[int, Field(ge=120, le=MAX_SIDE_PX)] = 960
    hold_still: bool = True
    """Whether exposure, white balance and focus are held once they have settled, where the camera lets them be."""
    calibration: list[CalibrationPicture] = Field(default_factory=list, max_length=MAX_PICTURES)
    state: _Path | None = None

    @model_validator(mode="after")
    def _one_origin(self) -> "CameraSettings":
        named = [key for key in ORIGINS if getattr(self, key) is not None]
        if len(named) > 1:
            raise ValueError(f"names {' and '.join(named)}; keep one")
        return self


class SimulatedSettings(Schema):
    """The picture that is drawn of the simulated table; `seed` chooses its grain."""

    name: _Name = "simulated"
    fps: Annotated[float, Field(ge=0.2, le=30.0)] = 10.0
    width: Annotated[int, Field(ge=320, le=2560)] = 1280
    height: Annotated[int, Field(ge=240, le=1920)] = 960
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1
