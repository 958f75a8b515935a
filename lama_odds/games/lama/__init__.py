"""The L.A.M.A. card games: basic, Lama 20, Drama, Party."""
