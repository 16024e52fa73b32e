"""What a command line may say: how it is declared, read, explained and completed."""
