"""Compile ahead what questions about a rule set need, on all processors."""
