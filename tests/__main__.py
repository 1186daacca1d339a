"""Every gate in a row, `python tests`: style, form, types, tests; the options go to pytest.

All of them run, so that one go tells everything; pytest comes last and closes with its own line.
"""

import subprocess
import sys
from pathlib import Path

GATES = [
    ["ruff", "check"],
    ["ruff", "format", "--check"],
    ["mypy"],
    ["pytest", "-n", "2", "--dist", "loadgroup"],
]


def main(options: list[str]) -> int:
    """Run the gates from the root of the checkout; tell which ones failed."""
    root, failed = Path(__file__).parent.parent, []
    for gate in GATES:
        name, last = gate[0], gate is GATES[-1]
        print(f"--- {' '.join(gate)}", flush=True)
        command = [sys.executable, "-m", *gate, *(options if last else [])]
        if subprocess.run(command, cwd=root, check=False).returncode:
            failed.append(name)
    if failed:
        print(f"Failed: {', '.join(dict.fromkeys(failed))}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
