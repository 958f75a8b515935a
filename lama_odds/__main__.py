"""``python -m lama_odds``: the command line."""

from lama_odds.cli.main import main

if __name__ == "__main__":
    main()
