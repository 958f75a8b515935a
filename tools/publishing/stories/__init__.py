"""What the pages of docs/strategy show: figures and tiles from published tables."""
