"""Tests of tools/: what is published, and studies."""
