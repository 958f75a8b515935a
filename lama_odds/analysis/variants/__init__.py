"""Rule sets as you give them: ids, and variants in files of your own."""
