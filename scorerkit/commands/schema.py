from __future__ import annotations

import json

import click

from scorerkit import shipped


@click.command("schema", epilog="Example: scorerkit schema > .scorer.schema.json")
@click.argument("name", type=click.Choice(shipped.SCHEMAS), default="scorer")
def command(name: str) -> int:
    """Print a JSON Schema (2020-12) that stands on its own, for editors and other tools.

    An editor with a YAML language server completes a scorer whose first line is
    '# yaml-language-server: $schema=.scorer.schema.json'.
    """
    click.echo(json.dumps(shipped.schema(name), indent=2, ensure_ascii=False))
    return 0
