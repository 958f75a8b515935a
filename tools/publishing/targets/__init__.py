"""One module a target of `tools/publish`; `registry` lists them."""
