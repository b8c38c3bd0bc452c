"""What an experiment would ask: requests counted, tokens and cost estimated, nobody asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from scorerkit.judge.prices import PER_MILLION, price_of
from scorerkit.model.judge import JudgeError
from scorerkit.pipeline import score_run

if TYPE_CHECKING:
    from scorerkit.dataset import AnyDataset
    from scorerkit.model.judge import Answer, Question
    from scorerkit.model.plan import Plan

BYTES_PER_TOKEN = 4
STOP = "dry-run"


class CountingJudge:
    """Counts the first question of each record; its later ones need answers that nobody gives."""

    def __init__(self) -> None:
        self.questions = 0
        self.tokens = 0

    async def ask(self, question: Question) -> Answer:
        texts = (question.instructions or "", question.prompt, str(question.format.schema if question.format else ""))
        self.questions += 1
        self.tokens += sum(len(text.encode(errors="replace")) for text in texts) // BYTES_PER_TOKEN
        raise JudgeError(STOP, "nobody is asked in a dry run")

    async def close(self) -> None:
        """Nothing to free."""


def dry_run(plans: tuple[Plan, ...], dataset: AnyDataset) -> int:
    """Say what would be asked. First questions are rendered and measured; of later ones only the number is known."""
    judges = {plan.id: CountingJudge() for plan in plans}
    failed = asyncio.run(_through(plans, dataset, judges))
    for plan in plans:
        judge = judges[plan.id]
        click.echo(f"{plan.id}: {dataset.total if dataset.total is not None else '?'} records from {dataset.shown}")
        if not plan.judged:
            click.echo("  asks nobody")
            continue
        most = judge.questions * len(plan.configs)
        requests = f"{judge.questions}" if most == judge.questions else f"{judge.questions} to {most}"
        click.echo(f"  {requests} requests ({', '.join(plan.configs)}), without retries and format attempts")
        click.echo(f"  about {judge.tokens:,} input tokens in the first question of each record")
        first = next(iter(plan.configs.values())).target
        price = price_of(first)
        if price is None:
            click.echo(f"  cost unknown: no price for {first.model}; a profile can give inputPrice and outputPrice")
        else:
            amount = judge.tokens * price.input / PER_MILLION
            click.echo(f"  at least {amount:.4f} USD for these ({price.input:g} per million, {price.source})")
    if failed:
        click.echo(f"{failed} records would fail before anybody is asked")
    return 0


async def _through(plans: tuple[Plan, ...], dataset: AnyDataset, judges: dict[str, CountingJudge]) -> int:
    failed = 0
    for record in dataset:
        if record.error is not None or record.run is None:
            failed += 1
            continue
        for plan in plans:
            result = await score_run(plan, record.run, judges[plan.id])
            failed += result.status == "failed" and (result.error or {}).get("code") != STOP
    return failed
