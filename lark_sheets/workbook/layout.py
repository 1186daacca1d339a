"""THE layout: every sheet, table and column of our workbooks, and the marks by which they are found again.

Nothing else in the package knows a sheet's or a column's name. Tables and columns are found by name in either language, wherever they
were moved, never by position; where a program dropped the tables, the header row is found by its column names.
"""

from __future__ import annotations

from dataclasses import dataclass

from lark_sheets.core.language import Words
from lark_sheets.core.rubric import Criterion, Rubric

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
RESULTS = Sheet("results", Words("Résultats", "Results"))
AGREEMENT = Sheet("agreement", Words("Accord", "Agreement"))
JUDGE = Sheet("judge", Words("Juge", "Judge"))
DETAIL = Sheet("detail", Words("Détail", "Detail"))
SHEETS = (GUIDE, RUBRIC, PRACTICE, GRADING, DISCUSS, RANKING, TICKETS, LOG, RESULTS, AGREEMENT, JUDGE, DETAIL)


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
    _c("message", "Message du client", "Customer's message", 34),
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
GRADE_WIDTH = 17
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
        _c("first_grade", "Sa note", "First grade", 9),
        _c("first_reason", "Sa raison", "First reason", 34),
        _c("second", "Deuxième lecteur", "Second reader", 18),
        _c("second_grade", "Son autre note", "Second grade", 9),
        _c("second_reason", "Son autre raison", "Second reason", 34),
        _c("anchor", "Repère concerné", "Anchor concerned", 44),
        _c("outcome", "Suite donnée", "Outcome", 18, typed=True),
        _c("agreed", "Note convenue", "Agreed grade", 10, typed=True),
        _c("note", "Remarque", "Note", 34, typed=True),
    ),
    spare=60,
)
PRACTICE_NAME = "tblPractice"
RANKING_NAME = "tblRanking"
GRADES_NAME = "tblGrades"


def criterion_column(criterion: Criterion) -> Column:
    """Return the grade column of a criterion: its key is the criterion's id, its header the criterion's name."""
    return Column(criterion.id, criterion.name, GRADE_WIDTH, typed=True)


def grades_table(rubric: Rubric) -> Table:
    """Return the grading table of a rubric: what is read, one column a criterion, then why, and what follows."""
    criteria = tuple(criterion_column(c) for c in rubric.criteria)
    after = tuple(
        Column(c.key, VERDICT_GENERAL, c.width) if c.key == "verdict" and rubric.favourable != "ready" else c
        for c in GRADES_AFTER
        if (c.key != "verdict" or rubric.verdict) and (c.key != "total" or rubric.total_max is not None)
    )
    return Table(GRADES_NAME, GRADING, (*GRADES_BEFORE, *criteria, *after))


STATES = {
    "to_grade": Words("à noter", "to grade"),
    "started": Words("commencé", "started"),
    "reason": Words("raison ?", "reason?"),
    "check": Words("à vérifier", "check"),
    "done": Words("fait", "done"),
}
"""What the state cell shows, by key."""

YES = Words("oui", "yes")
NO = Words("non", "no")
DISCUSS_FLAG = Words("oui", "yes")

MARKS = (
    "layout",
    "kind",
    "campaign",
    "language",
    "rubric",
    "version",
    "fingerprint",
    "commitments",
    "block",
    "graded_by",
    "graders",
    "grader",
    "runs",
    "revealed",
    "rows",
)
"""Keys of the mark block: layout version; kind "campaign" or "grader"; campaign id; language on screen; rubric id, version and fingerprint; SHA-256
of the key files; letters per block; who grades; the graders with their languages; whose file it is; number of runs; "yes" once revealed; rows handed out."""
