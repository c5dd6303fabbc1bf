"""The settings of `[sources.reed]`."""

from typing import Annotated

from pydantic import Field

from tock_companion.schema import A_NAME, Schema
from tock_companion.sources.reed.ports import AUTO


class ReedSettings(Schema):
    """`port` is a path, `auto`, or `sim` for the firmware in an emulator under the simulated table."""

    name: Annotated[str, Field(min_length=1, max_length=40), A_NAME] = "reed"
    port: Annotated[str, Field(min_length=1, max_length=1000)] = AUTO
    debounce_ms: Annotated[int, Field(ge=2, le=100)] = 8
