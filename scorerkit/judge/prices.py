"""What a request cost: as the provider says, else by the profile's prices, else by a dated table; else unknown."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorerkit.model.json import Json
    from scorerkit.model.judge import Target

PER_MILLION = 1_000_000
_DATED = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")


class Price(NamedTuple):
    """USD per million tokens, and who says so."""

    input: float
    output: float
    source: str


@cache
def table() -> dict[str, Any]:
    """The table that ships, with its date and sources."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("prices.json").read_text("utf-8"))
    return found


def price_of(target: Target) -> Price | None:
    """The price of a model; of a dated version that of its undated name. None where it is not known."""
    if target.input_price is not None and target.output_price is not None:
        return Price(target.input_price, target.output_price, "profile")
    if target.base_url is not None:
        return None  # another server's prices are not those of the provider
    models = table()["models"]
    found = models.get(target.model) or models.get(_DATED.sub("", target.model))
    return Price(float(found[0]), float(found[1]), f"table of {table()['date']}") if found else None


def cost_of(target: Target, usage: Mapping[str, int], stated: float | None) -> dict[str, Json] | None:
    """``{amount, unit, source}``; absent where it is unknown, never 0."""
    if stated is not None:
        return {"amount": stated, "unit": "USD", "source": "provider"}
    price = price_of(target)
    if price is None or not {"inputTokens", "outputTokens"} <= set(usage):
        return None
    amount = (usage["inputTokens"] * price.input + usage["outputTokens"] * price.output) / PER_MILLION
    return {"amount": amount, "unit": "USD", "source": price.source}
