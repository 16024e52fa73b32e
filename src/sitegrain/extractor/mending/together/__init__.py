"""What belongs together is kept together: lists, tables, labels with their values, posts, notes with their marks."""
