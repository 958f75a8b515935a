"""What should I do now?"""
