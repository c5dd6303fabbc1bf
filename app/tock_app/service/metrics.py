"""The table's figures in the text form of Prometheus; off unless the configuration asks for them."""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from tock_companion.table.runtime.figures import DELAY_LIMITS_MS, Figures


class TableCollector(Collector):
    """Reads the figures on request."""

    def __init__(self, figures: Figures, streams: Callable[[], int]) -> None:
        self._figures = figures
        self._streams = streams

    def collect(self) -> Iterable[Metric]:
        """Yield every figure; names follow Prometheus' conventions: seconds, `_total` for counters."""
        figures = self._figures
        frames = CounterMetricFamily("tock_observations", "Observations taken in", labels=["source"])
        reading = CounterMetricFamily(
            "tock_reading_seconds", "Time from seeing to taking in, summed up", labels=["source"]
        )
        for source, count in figures.observations.copy().items():
            frames.add_metric([source], count)
            reading.add_metric([source], figures.reading_ms[source] / 1000)
        yield frames
        yield reading
        events = CounterMetricFamily("tock_events", "Events of the game log", labels=["kind"])
        for kind, count in figures.events.copy().items():
            events.add_metric([kind], count)
        yield events
        yield self._delays()
        yield GaugeMetricFamily("tock_streams", "Pages that follow the table", value=self._streams())

    def _delays(self) -> Metric:
        figures = self._figures
        family = HistogramMetricFamily("tock_decision_delay_seconds", "From the last look to the decision")
        buckets: list[tuple[str, float]] = []
        total = 0
        for place, limit in enumerate((*DELAY_LIMITS_MS, None)):
            total += figures.delays[place]
            buckets.append(("+Inf" if limit is None else str(limit / 1000), total))
        family.add_metric([], buckets, sum_value=figures.delay_ms / 1000)
        return family


def metrics_text(figures: Figures, streams: Callable[[], int]) -> Callable[[], bytes]:
    """A function that renders all figures as text, those of the process included."""
    registry = CollectorRegistry()
    registry.register(TableCollector(figures, streams))
    ProcessCollector(registry=registry)
    return lambda: generate_latest(registry)
