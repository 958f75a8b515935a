"""Does a rule change anything, and how sure is that?"""
