"""`python -m sitegrain`."""

from sitegrain.cli import main

if __name__ == "__main__":
    main()
