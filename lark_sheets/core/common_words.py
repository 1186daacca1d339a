"""Common words of French and English, and abbreviations whose full stop ends no sentence: what language and sentences are told by."""

from __future__ import annotations

ABBREVIATIONS = frozenset([
    "m", "mm", "mme", "mlle", "mr", "mrs", "ms", "dr", "st", "ste", "no", "nos", "n", "art", "al", "av",
    "etc", "ex", "env", "vs", "tel", "tél", "cf", "p", "pp", "approx", "inc", "ltd", "ltée", "e.g", "i.e",
    "p.ex", "a.m", "p.m",
])  # fmt: skip
FRENCH = frozenset([
    "au", "aux", "avec", "avez", "avons", "bonjour", "ce", "cela", "ces", "cet", "cette", "chez", "comme",
    "dans", "de", "des", "dès", "donc", "du", "elle", "elles", "en", "est", "et", "êtes", "être", "eu",
    "fait", "il", "ils", "je", "la", "le", "les", "leur", "leurs", "lui", "ma", "mais", "merci", "mes",
    "mon", "ne", "nos", "notre", "nous", "où", "ou", "par", "pas", "pour", "pouvez", "pouvons", "qu", "que",
    "qui", "sa", "sans", "se", "ses", "si", "son", "sont", "sous", "sur", "ta", "tes", "toute", "tout",
    "toutes", "tous", "très", "tu", "un", "une", "vos", "votre", "vous", "était", "sera", "seront", "ainsi",
    "alors", "après", "avant", "avoir", "aussi", "cordialement", "salutations", "veuillez", "désolés",
    "désolé", "l", "d", "c", "j", "n", "s",
])  # fmt: skip
ENGLISH = frozenset([
    "about", "after", "all", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
    "best", "but", "by", "can", "could", "day", "did", "do", "does", "for", "from", "get", "had", "happy",
    "has", "have", "he", "hello", "help", "her", "here", "hi", "his", "hope", "how", "if", "in", "into",
    "is", "it", "its", "just", "let", "may", "might", "more", "my", "no", "not", "of", "once", "only", "or",
    "our", "out", "please", "regards", "she", "should", "sincerely", "so", "sorry", "thank", "thanks",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "up", "us",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "will", "with", "within", "would",
    "yes", "you", "your", "yours",
])  # fmt: skip
SHARED = FRENCH & ENGLISH
"""Words of both languages: they tell nothing."""
