"""What a person is doing, as it is sent."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict


class _NewStatus(TypedDict):
    text: str


class NewStatus(_NewStatus, total=False):
    """What you are doing. Without `until` it stays until you change it."""

    emoji: str | None
    until: datetime | None
