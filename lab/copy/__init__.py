"""`copy`, which plays Lama Dice for two nearly as solved."""
