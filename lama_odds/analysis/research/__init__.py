"""Studies of the policies themselves."""
