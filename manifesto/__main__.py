"""Entry of `python -m manifesto`."""

from manifesto.cli import main

if __name__ == "__main__":
    main()
