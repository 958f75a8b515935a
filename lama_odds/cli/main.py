"""Entry point: the commands, and what every error looks like.

Exit codes: 0 answered, 2 cannot be read, 3 cannot occur, 4 cannot be answered within the limits,
130 stopped by Ctrl-C before there was an answer.
"""

from __future__ import annotations

import os
import sys

import typer

from lama_odds.cli import advise, listings, odds, simulate
from lama_odds.core.errors import LamaOddsError

INTERRUPTED = 130

app = typer.Typer(
    name="lama-odds",
    help="Strategy analyzer and odds calculator for push-your-luck games: L.A.M.A. and its kin.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="rich",
)
app.command("advise", epilog=advise.EXAMPLES)(advise.advise)
app.command("odds", epilog=odds.EXAMPLES)(odds.odds)
app.command("simulate", epilog=simulate.EXAMPLES)(simulate.simulate)
app.command("rules", epilog=listings.RULES_EXAMPLES)(listings.rules)
app.command("policies", epilog=listings.POLICIES_EXAMPLES)(listings.policies)


@app.callback(invoke_without_command=False)
def _main(
    version: bool = typer.Option(
        False, "--version", help="Show the version and stop.", is_eager=True
    ),
) -> None:
    if version:
        import lama_odds

        typer.echo(f"lama-odds {lama_odds.__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command; every error becomes a message and an exit code."""
    try:
        app()
    except LamaOddsError as error:
        print(f"lama-odds: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("lama-odds: stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone (a pager that was closed, say): nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (OSError, MemoryError) as error:
        print(f"lama-odds: {error or 'out of memory'}", file=sys.stderr)
        sys.exit(4)
