"""What a word, a language and a term is: once, for all."""
