"""The words every layer uses: estimates, errors, notation, rule-set ids. Standard library only."""
