"""What each command does: one function a command, with its needs as arguments."""
