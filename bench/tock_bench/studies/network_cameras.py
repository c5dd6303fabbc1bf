"""Real servers of MJPEG and RTSP for two minutes, killed and started again.

MJPEG comes from ffmpeg, RTSP (H.264, and JPEG as cheap cameras send it) from GStreamer's server, which needs Debian's
python3-gi, gir1.2-gst-rtsp-server-1.0 and gstreamer1.0-plugins-good and -bad. A camera source reads a drawn board as at
a table. Prints one object a server: pictures read, how long the camera was away, and what the companion said of it.
"""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from threading import Event
from time import monotonic, process_time, sleep

from tests.support.filmed import drawn_camps
from tests.support.service import free_port
from tock_bench.results import Figures, Say
from tock_companion.boardfile import generate
from tock_companion.observation import Observation, SourceCondition, SourceMessage, SourceReport
from tock_vision.camera import CameraSource

FPS = 10
AWAY_S = 8.0
FOUND_WITHIN_S = 30.0
GSTREAMER = """
import sys, gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer
port, pipeline = sys.argv[1:]
Gst.init(None)
server, factory = GstRtspServer.RTSPServer(), GstRtspServer.RTSPMediaFactory()
server.set_address("127.0.0.1")
server.set_service(port)
factory.set_launch(pipeline)
factory.set_shared(True)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
GLib.MainLoop().run()
"""
HELD = f"filesrc location={{picture}} ! jpegdec ! imagefreeze ! video/x-raw,framerate={FPS}/1 ! videoconvert"
PAYLOADS = {
    "rtsp-h264": "video/x-raw,format=I420 ! openh264enc bitrate=4000000 ! h264parse ! rtph264pay name=pay0 pt=96",
    "rtsp-jpeg": "jpegenc quality=90 ! rtpjpegpay name=pay0 pt=26",
}
TYPE = ("-content_type", "multipart/x-mixed-replace;boundary=ffmpeg")
KINDS = ("mjpeg", *PAYLOADS)


def server(kind: str, port: int, picture: Path) -> subprocess.Popen[bytes]:
    """Start a camera's server."""
    if kind == "mjpeg":
        shown = ("-re", "-loop", "1", "-framerate", str(FPS), "-i", str(picture))
        sent = (
            "-c:v",
            "mjpeg",
            "-q:v",
            "3",
            "-f",
            "mpjpeg",
            *TYPE,
            "-listen",
            "1",
            f"http://127.0.0.1:{port}/live",
        )
        command: Sequence[str] = ("ffmpeg", "-loglevel", "error", *shown, *sent)
    else:
        pipeline = f"( {HELD.format(picture=picture)} ! {PAYLOADS[kind]} )"
        # Debian's Python has GStreamer; ours need not.
        command = ("/usr/bin/python3", "-c", GSTREAMER, str(port), pipeline)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


@dataclass
class Received:
    """The messages of a source."""

    seen_s: list[float] = field(default_factory=list)
    reports: list[SourceReport] = field(default_factory=list)
    well: Event = field(default_factory=Event)
    lost: Event = field(default_factory=Event)

    def take(self, message: SourceMessage) -> None:
        """Note a message."""
        if isinstance(message, Observation):
            self.seen_s.append(monotonic())
        elif isinstance(message, SourceReport):
            self.reports.append(message)
            is_well = message.condition is SourceCondition.OK
            (self.well if is_well else self.lost).set()
            (self.lost if is_well else self.well).clear()


def wait(event: Event, what: str) -> float:
    """Seconds until something is heard."""
    began_s = monotonic()
    if not event.wait(FOUND_WITHIN_S):
        raise AssertionError(f"not within {FOUND_WITHIN_S:.0f} s: {what}")
    return monotonic() - began_s


def watched(kind: str, length_s: float, picture: Path) -> Mapping[str, object]:
    """Read a server for a time; in the middle it is killed, stays away, and comes back."""
    port, received = free_port(), Received()
    scheme = "http" if kind == "mjpeg" else "rtsp"
    source = CameraSource(generate(4, 440.0), {"url": f"{scheme}://127.0.0.1:{port}/live", "fps": FPS})
    began_s = monotonic()
    running = server(kind, port, picture)
    source.start(received.take, lambda: round(1000 * (monotonic() - began_s)))
    try:
        first_s = wait(received.well, "the board is seen")
        cpu_s, from_s = process_time(), monotonic()
        sleep(length_s / 2)
        share = (process_time() - cpu_s) / (monotonic() - from_s)
        before = len(received.seen_s)
        running.kill()
        running.wait()
        reported_s = wait(received.lost, "the camera is reported as lost")
        code = received.reports[-1].code
        sleep(AWAY_S)
        back_s = monotonic()
        running = server(kind, port, picture)
        wait(received.well, "the camera is found again")
        found_s = monotonic() - back_s
        sleep(length_s / 2)
    finally:
        source.stop()
        running.kill()
        running.wait()
    return {
        "server": kind,
        "seconds": round(length_s),
        "first_s": round(first_s, 1),
        "observations": [before, len(received.seen_s) - before],
        "lost_reported_after_s": round(reported_s, 2),
        "reported_as": code,
        "found_again_after_s": round(found_s, 2),
        "reports": [f"{report.condition.value} {report.code}".strip() for report in received.reports],
        "cpu_share": round(share, 3),
    }


def run(say: Say, seconds: float = 120.0, kinds: tuple[str, ...] = KINDS) -> Figures:
    """Watch each kind of server, in a process of its own: a thread may wait inside OpenCV, which Python cannot end."""
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "board.jpg"
        picture.write_bytes(drawn_camps(generate(4, 440.0)))
        for kind in kinds:
            say(kind)
            with get_context("spawn").Pool(1) as pool:
                figures[kind] = pool.apply(watched, (kind, seconds, picture))
    return figures
