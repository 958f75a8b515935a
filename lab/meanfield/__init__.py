"""What happens between two turns of a seat: the tables of `meanfield`."""
