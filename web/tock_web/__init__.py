"""The phone page: `create_app(table)` makes it, `serve` puts it on the home network."""

from tock_web.address import page_url
from tock_web.app import create_app
from tock_web.qr import qr_terminal
from tock_web.rights.host_secrets import Hosts
from tock_web.rights.machine_code import MachineCode
from tock_web.services import PageServices
from tock_web.serving.page_server import PageServer, serve

__all__ = [
    "Hosts", "MachineCode", "PageServer", "PageServices", "create_app", "page_url", "qr_terminal",
    "serve",
]  # fmt: skip
