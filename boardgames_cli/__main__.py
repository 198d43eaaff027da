"""The way in: ``boardgames``, or ``python -m boardgames_cli``."""

try:
    from boardgames_cli.terminal.startup import end_at_once, pause_collection
except KeyboardInterrupt:  # the last moment before signals can be caught
    raise SystemExit(130) from None


def main() -> None:
    """Run the program and end the process with its exit code."""
    # Before anything else is imported, so that an immediate Ctrl+C prints no traceback.
    end_at_once()
    pause_collection()
    from boardgames_cli.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
