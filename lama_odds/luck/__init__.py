"""Random numbers by address: the same address gives the same luck, whoever asks and when."""
