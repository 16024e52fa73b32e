"""Where claims are checked: labelled data, metrics, peers, the papers' experiments and the gate."""
