"""What a terminal can show: its width, its characters, tables that fit."""
