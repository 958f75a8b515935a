"""The command line: parse, compute with `analysis`, render as text or JSON."""
