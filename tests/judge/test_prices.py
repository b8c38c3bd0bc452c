from __future__ import annotations

import pytest

from scorerkit.judge.prices import cost_of, price_of, table
from scorerkit.model.judge import Target

USED = {"inputTokens": 1_000_000, "outputTokens": 2_000_000}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (Target("openai", "gpt-4o-mini"), (0.15, 0.6)),
        (Target("openai", "gpt-4o-mini-2024-07-18"), (0.15, 0.6)),
        (Target("anthropic", "claude-sonnet-4-5-20250929"), (3.0, 15.0)),
        (Target("openai", "gpt-4o-mini-audio"), None),
        (Target("openai", "gpt-4o-mini", base_url="http://localhost:1/v1"), None),
        (Target("openai", "other", input_price=1.0, output_price=2.0), (1.0, 2.0)),
        (Target("openai", "gpt-4o", input_price=1.0, output_price=2.0), (1.0, 2.0)),
    ],
)
def test_a_price_is_that_of_the_profile_or_of_the_table(target, expected):
    price = price_of(target)
    assert (price and price[:2]) == expected


def test_an_unknown_cost_is_absent_and_never_zero():
    assert cost_of(Target("openai", "unknown"), USED, None) is None
    assert cost_of(Target("openai", "gpt-4o-mini"), {"inputTokens": 5}, None) is None


def test_the_providers_own_word_wins():
    assert cost_of(Target("openai", "gpt-4o-mini"), USED, 0.25) == {"amount": 0.25, "unit": "USD", "source": "provider"}


def test_the_table_says_its_date():
    cost = cost_of(Target("openai", "gpt-4o-mini"), USED, None)
    assert cost == {"amount": pytest.approx(1.35), "unit": "USD", "source": f"table of {table()['date']}"}
    assert all(len(pair) == 2 and min(pair) > 0 for pair in table()["models"].values())
