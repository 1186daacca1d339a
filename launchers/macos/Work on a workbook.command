#!/bin/sh
# Choose a workbook: gathered, checked, recomputed; in Excel where it is open there.
cd "$(dirname "$0")/../.." || exit 1
if [ "$#" -eq 0 ]; then
    chosen=$(osascript -e 'POSIX path of (choose file with prompt "Lark Sheets")') || exit 0
    set -- "$chosen"
fi
outcome=0
for book in "$@"; do
    python3 run.py attach "$book" || outcome=1
done
printf '\nPress Enter to close. '
read -r _
exit "$outcome"
