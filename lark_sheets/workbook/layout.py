"""THE layout: every sheet, table and column of our workbooks, and the marks by which they are found again.

Nothing else in the package knows a sheet's or a column's name. Tables and columns are found by name in either language, wherever they
were moved, never by position; where a program dropped the tables, the header row is found by its column names.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lark_sheets.core.language import Words
from lark_sheets.core.rubric import Criterion, Rubric
from lark_sheets.core.text import folded
from lark_sheets.workbook import cell_words

LAYOUT_VERSION = 1
CODE_COLUMNS = 3
CELL_LIMIT = 32_767
"""Characters (UTF-16 units) that one cell can hold."""
CHUNK = 30_000
"""Characters of one chunk where long data are kept in rows."""

MARK = "lark:"
"""Start of the keys of the mark block in the guide sheet: two hidden columns, key and value."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet's key and its names on screen."""

    key: str
    name: Words


@dataclass(frozen=True, slots=True)
class Column:
    """A column's key, its header on screen, its width in characters, and whether a person may type in it."""

    key: str
    header: Words
    width: float = 14
    hidden: bool = False
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name (the same in both languages), its sheet, its columns, rows built empty for later."""

    name: str
    sheet: Sheet
    columns: tuple[Column, ...]
    spare: int = 0

    def column(self, key: str) -> Column:
        """Return a column by key; ``KeyError`` when the table has none."""
        for column in self.columns:
            if column.key == key:
                return column
        raise KeyError(key)


GUIDE = Sheet("guide", Words("Guide", "Guide"))
RUBRIC = Sheet("rubric", Words("Grille", "Rubric"))
PRACTICE = Sheet("practice", Words("Exercice", "Practice"))
GRADING = Sheet("grading", Words("Notation", "Grading"))
DISCUSS = Sheet("discuss", Words("À discuter", "To discuss"))
RANKING = Sheet("ranking", Words("Classement", "Ranking"))
TICKETS = Sheet("tickets", Words("Billets", "Tickets"))
LOG = Sheet("log", Words("Journal", "Log"))
TEXTS = Sheet("texts", Words("Textes", "Texts"))
RESULTS = Sheet("results", Words("Résultats", "Results"))
AGREEMENT = Sheet("agreement", Words("Accord", "Agreement"))
JUDGE = Sheet("judge", Words("Juge", "Judge"))
DETAIL = Sheet("detail", Words("Détail", "Detail"))
RESPONSES = Sheet("responses", Words("Réponses", "Responses"))
SHEETS = (
    GUIDE, RUBRIC, PRACTICE, GRADING, TEXTS, DISCUSS, RANKING, TICKETS, LOG, RESULTS, AGREEMENT, JUDGE,
    DETAIL, RESPONSES,
)  # fmt: skip


def _c(key: str, fr: str, en: str, width: float = 14, *, hidden: bool = False, typed: bool = False) -> Column:
    return Column(key, Words(fr, en), width, hidden, typed)


CRITERIA = Table(
    "tblCriteria",
    RUBRIC,
    (
        _c("criterion", "Critère (id)", "Criterion (id)", 16),
        _c("name_fr", "Nom (fr)", "Name (fr)", 18),
        _c("name_en", "Nom (en)", "Name (en)", 18),
        _c("kind", "Type de critère", "Kind", 13),
        _c("question_fr", "Question (fr)", "Question (fr)", 34),
        _c("question_en", "Question (en)", "Question (en)", 34),
        _c("judged_by", "Noté par", "Judged by", 11),
    ),
)
ANCHORS = Table(
    "tblAnchors",
    RUBRIC,
    (
        _c("criterion", "Critère (id)", "Criterion (id)", 16),
        _c("level", "Niveau", "Level", 10),
        _c("name_fr", "Nom (fr)", "Name (fr)", 14),
        _c("name_en", "Nom (en)", "Name (en)", 14),
        _c("description_fr", "Repère (fr)", "Anchor (fr)", 44),
        _c("description_en", "Repère (en)", "Anchor (en)", 44),
        _c("example_fr", "Exemple (fr)", "Example (fr)", 44),
        _c("example_en", "Exemple (en)", "Example (en)", 44),
    ),
)
CODES = Table(
    "tblCodes",
    RUBRIC,
    (
        _c("code", "Code", "Code", 20),
        _c("criterion", "Critère (id)", "Criterion (id)", 16),
        _c("cap", "Plafond", "Cap", 9),
        _c("label_fr", "Motif (fr)", "Issue (fr)", 30),
        _c("label_en", "Motif (en)", "Issue (en)", 30),
    ),
)
VERDICT = Table(
    "tblVerdict",
    RUBRIC,
    (
        _c("order", "Ordre", "Order", 8),
        _c("outcome", "Décision (id)", "Outcome (id)", 16),
        _c("outcome_fr", "Décision (fr)", "Outcome (fr)", 16),
        _c("outcome_en", "Décision (en)", "Outcome (en)", 16),
        _c("combine", "Combinaison", "Combine", 13),
        _c("test", "Test", "Test", 10),
        _c("target", "Cible", "Target", 14),
        _c("at_level", "Au niveau", "At level", 9),
        _c("operator", "Opérateur", "Operator", 10),
        _c("number", "Nombre ou étiquette", "Number or label", 16),
    ),
)
CHANGES = Table(
    "tblChanges",
    RUBRIC,
    (
        _c("version", "Version", "Version", 9),
        _c("date", "Date", "Date", 20),
        _c("author", "Auteur", "Author", 18, typed=True),
        _c("kind", "Nature", "Kind of edit", 20, typed=True),
        _c("criterion", "Critère (id)", "Criterion (id)", 16, typed=True),
        _c("reason", "Raison du changement", "Reason for the change", 44, typed=True),
        _c("before", "Avant", "Before", 34),
        _c("after", "Après", "After", 34),
        _c("effect", "Effet", "Effect", 34),
    ),
    spare=40,
)
VERSIONS = Table(
    "tblVersions",
    LOG,
    (
        _c("version", "Version", "Version", 9),
        _c("fingerprint", "Empreinte", "Fingerprint", 20),
        _c("part", "Partie", "Part", 7),
        _c("content", "Contenu (JSON)", "Content (JSON)", 30),
    ),
    spare=40,
)
LOG_TABLE = Table(
    "tblLog",
    LOG,
    (
        _c("when", "Quand", "When", 22),
        _c("who", "Qui", "Who", 18),
        _c("event", "Événement", "Event", 20),
        _c("version", "Version", "Version", 9),
        _c("detail", "Détail", "Detail", 80),
    ),
    spare=400,
)
TICKETS_TABLE = Table(
    "tblTickets",
    TICKETS,
    (
        _c("item", "Billet", "Ticket", 9),
        _c("text", "Message", "Message", 60),
        _c("language", "Langue", "Language", 9),
        _c("type", "Type", "Type", 14),
        _c("difficulty", "Difficulté", "Difficulty", 11),
        _c("stratum", "Strate", "Stratum", 11),
        _c("reference", "Corrigé", "Answer key", 50),
        _c("must_mention", "À mentionner", "Must mention", 30),
        _c("must_not_mention", "À éviter", "Must not mention", 30),
        _c("fields", "Autres champs", "Other fields", 30),
    ),
)
RESPONSES_TABLE = Table(
    "tblResponses",
    RESPONSES,
    (
        _c("item", "Billet", "Ticket", 9, typed=True),
        _c("run", "Exécution", "Run", 24, typed=True),
        _c("response", "Réponse", "Response", 90, typed=True),
        _c("response_id", "Identifiant donné", "Given id", 18, typed=True),
        _c("language", "Langue", "Language", 10, typed=True),
    ),
    spare=200,
)
"""Responses as a coordinator hands them in, with the names of the runs: only in a starter workbook, never in a campaign's."""
ABOUT = Table(
    "tblRubric",
    RUBRIC,
    (
        _c("property", "Propriété", "Property", 18),
        _c("value_fr", "En français", "In French", 44, typed=True),
        _c("value_en", "En anglais", "In English", 44, typed=True),
    ),
)
"""What a rubric says of itself beside its tables, in a starter workbook: id, title, rule, favourable outcome ..."""
LABEL = _c("label", "Lettre", "Label", 7)
GRADES_BEFORE = (
    _c("id", "Identifiant", "Id", 12, hidden=True),
    _c("fingerprint", "Empreinte", "Fingerprint", 18, hidden=True),
    _c("version", "Version de grille", "Rubric version", 8, hidden=True),
    _c("grader", "Évaluateur", "Grader", 12, hidden=True),
    _c("owner", "Propriétaire", "Owner", 9, hidden=True),
    _c("reading", "Lecture", "Reading", 8, hidden=True),
    _c("language", "Langue attendue", "Expected language", 9, hidden=True),
    _c("number", "N°", "No.", 5),
    _c("item", "Billet", "Ticket", 7),
    LABEL,
    _c("message", "Message", "Message", 34),
    _c("response", "Réponse à noter", "Response to grade", 62),
    _c("fields", "Étiquettes", "Fields", 17),
)
GRADES_AFTER = (
    _c("code_1", "Motif 1", "Issue 1", 17, typed=True),
    _c("code_2", "Motif 2", "Issue 2", 17, typed=True),
    _c("code_3", "Motif 3 et autres", "Issue 3 and more", 17, typed=True),
    _c("reason", "Raison (une ligne)", "Reason (one line)", 34, typed=True),
    _c("discuss", "À discuter", "To discuss", 11, typed=True),
    _c("total", "Total", "Total", 8),
    _c("verdict", "Prête", "Ready", 10),
    _c("state", "État", "State", 13),
)
EXPLANATIONS = ("code_1", "code_2", "code_3", "reason")
"""Columns of which one must say why a grade is below the top."""
GRADE_WIDTH = 17
LABEL_WIDTH = 30
VERDICT_WIDTH = 16
VERDICT_GENERAL = Words("Décision", "Decision")
"""Header of the verdict column for rubrics whose favourable outcome is not "ready"; read as the same column."""
DISCUSS_TABLE = Table(
    "tblDiscuss",
    DISCUSS,
    (
        _c("id", "Identifiant", "Id", 12, hidden=True),
        _c("item", "Billet", "Ticket", 8),
        LABEL,
        _c("criterion", "Critère (id)", "Criterion (id)", 16),
        _c("first", "Premier lecteur", "First reader", 18),
        _c("first_grade", "Note du premier", "First grade", 11),
        _c("first_reason", "Raison du premier", "First reason", 34),
        _c("second", "Deuxième lecteur", "Second reader", 18),
        _c("second_grade", "Note du deuxième", "Second grade", 11),
        _c("second_reason", "Raison du deuxième", "Second reason", 34),
        _c("anchor", "Repère concerné", "Anchor concerned", 44),
        _c("outcome", "Suite donnée", "Outcome", 18, typed=True),
        _c("agreed", "Note convenue", "Agreed grade", 10, typed=True),
        _c("note", "Remarque", "Note", 34, typed=True),
    ),
    spare=60,
)
TEXTS_TABLE = Table(
    "tblTexts",
    TEXTS,
    (
        _c("id", "Identifiant", "Id", 12, hidden=True),
        _c("item", "Billet", "Ticket", 9),
        _c("label", "Lettre", "Label", 8),
        _c("what", "Quoi", "What", 14),
        _c("part", "Partie", "Part", 8),
        _c("text", "Texte", "Text", 120),
    ),
)
"""Texts that do not fit their cell, in parts; ``id`` says whose text it is (:func:`response_text_id` and its kin)."""
PRACTICE_NAME = "tblPractice"
RANKING_NAME = "tblRanking"
GRADES_NAME = "tblGrades"


def response_text_id(response: str) -> str:
    """Return the id under which a response too long for a cell is kept whole: the response's own id."""
    return response


def item_text_id(item: str) -> str:
    """Return the id under which a ticket's message too long for a cell is kept whole."""
    return f"item:{item}".casefold()


def view_text_id(of: str) -> str:
    """Return the id of a text that its cell holds whole, shown again only because the cell cannot display it."""
    return f"view:{of}".casefold()


def criterion_column(criterion: Criterion, *, taken: frozenset[str] = frozenset()) -> Column:
    """Return the grade column of a criterion: its key is the criterion's id, its header the criterion's name.

    A name that another column carries (``taken``, folded) is told apart by the id behind it.
    """
    name = criterion.name
    if any(folded(text) in taken for text in name.both()):
        name = Words(*(f"{text} ({criterion.id})" for text in (name.fr or name.en, name.en or name.fr)))
    return Column(criterion.id, name, LABEL_WIDTH if criterion.is_category else GRADE_WIDTH, typed=True)


def criterion_columns(rubric: Rubric) -> tuple[Column, ...]:
    """Return the grade columns of a rubric; no two carry one header, and none a header of ours."""
    taken = {folded(text) for column in (*GRADES_BEFORE, *GRADES_AFTER) for text in column.header.both()}
    taken |= {folded(text) for words in (VERDICT_GENERAL,) for text in words.both()}
    columns = []
    for criterion in rubric.criteria:
        column = criterion_column(criterion, taken=frozenset(taken))
        taken |= {folded(text) for text in column.header.both()}
        columns.append(column)
    return tuple(columns)


def grades_table(rubric: Rubric, *, shows_grader: bool = False) -> Table:
    """Return the grading table of a rubric: what is read, one column a criterion, then why, and what follows.

    ``shows_grader`` makes the grader's column visible, as in a campaign's workbook.
    """
    before = tuple(
        replace(c, hidden=False) if shows_grader and c.key == "grader" else c for c in GRADES_BEFORE
    )
    after = tuple(
        Column(c.key, VERDICT_GENERAL, VERDICT_WIDTH)
        if c.key == "verdict" and not is_yes_or_no(rubric)
        else c
        for c in GRADES_AFTER
        if (c.key != "verdict" or rubric.verdict)
        and (c.key != "total" or rubric.total_max is not None)
        and (not c.key.startswith("code_") or rubric.codes or rubric.total_max is not None)
    )
    return Table(GRADES_NAME, GRADING, (*before, *criterion_columns(rubric), *after))


def practice_table(rubric: Rubric) -> Table:
    """Return the table of the practice sheet: a letter, a response, the grades, what follows from them."""
    after = tuple(c for c in grades_table(rubric).columns if c.key in ("total", "verdict"))
    columns = (LABEL, *(c for c in GRADES_BEFORE if c.key == "response"), *criterion_columns(rubric), *after)
    return Table(PRACTICE_NAME, PRACTICE, columns)


def is_yes_or_no(rubric: Rubric) -> bool:
    """Say whether the verdict is shown as "ready: yes / no" instead of by its outcome's name."""
    return rubric.favourable == "ready" and len(rubric.outcomes) == 2


RANKING_TABLE = Table(
    RANKING_NAME,
    RANKING,
    (
        _c("id", "Identifiant", "Id", 12, hidden=True),
        _c("item", "Billet", "Ticket", 9),
        LABEL,
        _c("response", "Réponse", "Response", 70),
        _c("rank", "Votre rang (1 = la meilleure)", "Your rank (1 = best)", 14, typed=True),
        _c("total", "Total de la grille", "Rubric total", 11),
        _c("concordant", "Paires dans le même ordre", "Pairs in the same order", 13),
        _c("comparable", "Paires comparables", "Comparable pairs", 13),
        _c("tau_b", "Tau-b de Kendall", "Kendall’s tau-b", 11),
        _c("below", "Après celle-ci, moins bonnes", "After it, worse", 9, hidden=True),
        _c("above", "Après celle-ci, meilleures", "After it, better", 9, hidden=True),
        _c("ranked", "Après celle-ci", "After it", 9, hidden=True),
        _c("graded", "Moins bonnes", "Worse", 9, hidden=True),
    ),
)
"""One row a response; the hidden columns count the pairs of its ticket in which it is the better one."""


STATES, YES, NO, DISCUSS_FLAG = cell_words.STATES, cell_words.YES, cell_words.NO, cell_words.DISCUSS_FLAG
CHANGE_KINDS, DISCUSS_OUTCOMES = cell_words.CHANGE_KINDS, cell_words.DISCUSS_OUTCOMES
SPARE_ROWS = 2_000
"""Rows below the grading table that lists, colours and counts already cover, for responses added later."""

MARKS = (
    "layout", "kind", "campaign", "language", "rubric", "version", "fingerprint", "commitments", "block",
    "graded_by", "graders", "grader", "runs", "revealed", "rows", "owned",
)  # fmt: skip
"""Keys of the mark block: layout version; kind "campaign" or "grader"; campaign id; language on screen; rubric id, version and fingerprint; SHA-256
of the key files; letters per block; who grades; the graders with their languages; whose file it is; number of runs; "yes" once revealed; rows handed out, and how many of
them are their owner's."""

PLACES = "places"
"""Key of one more mark: where the formulas that sum the grading table up stand, as JSON, for whoever patches a file."""
