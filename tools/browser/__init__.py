"""What answers in a browser: the compiled functions as WebAssembly."""
