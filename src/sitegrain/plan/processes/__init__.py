"""Who does the work: this process, or others on the cores of this machine."""
