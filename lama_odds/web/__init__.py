"""The table companion: a page for the phone, and questions over HTTP."""
