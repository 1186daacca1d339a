"""The judge, without network or file: what is asked, how a reply is read, what it costs, and whether it may be trusted.

A judgement is scored or it is unscored for a named reason; nothing in between. See docs/judge.md.
"""
