"""The command of a bare checkout: ``python cli.py run …``. Installed, it is ``scorerkit``."""

from scorerkit.main import main

if __name__ == "__main__":
    main()
