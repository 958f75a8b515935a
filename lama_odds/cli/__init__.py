"""The command line: parse, ask `analysis`, render as text or JSON."""
