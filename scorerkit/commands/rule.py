from __future__ import annotations

import click


@click.command("rule", epilog="Example: scorerkit rule verdict-before-reason")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Explain CODE, with a bad and a good example; without CODE, list all codes.

    Codes stand in brackets in the first line of every problem.
    """
    from scorerkit import rules
    from scorerkit.errors import ScorerkitError
    from scorerkit.suggest import suggestion

    known = rules.codes()
    if code is None:
        width = max(map(len, known))
        click.echo("\n".join(f"{each:<{width}}  {rules.summary(each)}" for each in known))
        return 0
    if code not in known:
        message = f"there is no code '{code}'"
        raise ScorerkitError(message, code="unknown-value", fix=suggestion(code, known))
    click.echo(rules.page(code), nl=False)
    return 0
