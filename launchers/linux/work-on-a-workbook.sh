#!/bin/sh
# Workbooks or campaign folders: gathered, checked, recomputed.
if [ "$#" -eq 0 ]; then
    echo "Give a workbook or a campaign folder, or drag one onto this script." >&2
    exit 2
fi
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
outcome=0
for book in "$@"; do
    python3 "$here/run.py" attach "$book" || outcome=1
done
exit "$outcome"
