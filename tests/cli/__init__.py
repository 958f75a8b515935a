"""The command line, as processes and in this process."""
