"""A real Mosquitto on a free port: that of the benches."""

from tock_bench.broker import Broker

__all__ = ["Broker"]
