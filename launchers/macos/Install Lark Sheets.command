#!/bin/sh
# Puts the ribbon "Lark" into Excel. Double-click; nothing has to be typed.
cd "$(dirname "$0")/../.." || exit 1
python3 run.py addin install "$@"
outcome=$?
printf '\nPress Enter to close. '
read -r _
exit "$outcome"
