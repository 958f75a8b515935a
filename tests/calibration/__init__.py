"""How sure answers are: each statement played many times on outcomes of known truth."""
