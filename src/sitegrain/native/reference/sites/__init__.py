"""What a site knows."""
