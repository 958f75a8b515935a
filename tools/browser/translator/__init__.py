"""From Python to JavaScript: what decides an answer in Python decides it in a browser too."""
