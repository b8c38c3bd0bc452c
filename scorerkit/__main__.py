import sys

if not sys.flags.safe_path:
    # 'python -m' looks for every module in the working directory first. A folder from elsewhere with a 'json.py' in
    # it would be run by looking at it; the installed command does not look there, so neither does this door.
    del sys.path[0]

from scorerkit.main import main

main()
