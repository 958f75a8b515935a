"""What every layer uses: estimates, errors, notation, ids. It imports the standard library only."""
