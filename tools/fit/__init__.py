"""Makes the data that is shipped: fitted, tuned and solved."""
