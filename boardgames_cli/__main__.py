"""``python -m boardgames_cli`` is the same as ``boardgames``."""

from boardgames_cli.cli.main import main

if __name__ == "__main__":
    main()
