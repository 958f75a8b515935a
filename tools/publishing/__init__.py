"""`tools/publish`: makes the files of the repository that are computed, those that changed."""
