"""What is of other pages or other people: comments, teasers, cards, dialogs, notes that many pages have."""
