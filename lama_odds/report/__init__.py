"""Tables and text built from answers; computes no odds."""
