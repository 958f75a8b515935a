"""Match equity tables of three to six players: fitted, solved, and checked against whole games."""
