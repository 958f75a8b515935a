"""Policies by name, and the tables behind them."""
