"""Tables and columns of the results workbook: sheets Results, Agreement, Judge and Detail. See ``layout`` for the rest."""

from __future__ import annotations

from lark_sheets.core.language import Words
from lark_sheets.core.rubric import Criterion, Level, Rubric
from lark_sheets.workbook.layout import AGREEMENT, DETAIL, JUDGE, RESULTS, VERDICT_GENERAL, Column, Table


def _c(key: str, fr: str, en: str, width: float = 11) -> Column:
    return Column(key, Words(fr, en), width)


EXPORT_TABLE = "tblExport"
"""Table of exported grades, one row a grade; its columns are named by :mod:`lark_sheets.core.tidy` in every language."""
RUN = _c("run", "Exécution", "Run", 34)
SHARE = _c("share", "Part", "Share", 9)
LOW = _c("low", "De (95 %)", "From (95%)", 10)
HIGH = _c("high", "À (95 %)", "To (95%)", 10)


def zeros_column(criterion_id: str, name: Words) -> Column:
    """Return the column that counts the zeros of a criterion."""
    return Column(f"zero_{criterion_id}", Words(f"{name.fr} 0", f"{name.en} 0"), 14)


def results_table(rubric: Rubric) -> Table:
    """Return the table of runs: counts of ready responses with their interval, points, score out of 10, zeros."""
    decided = (
        (
            _c("ready", *_names(rubric), 9),
            _c("ready_low", "De (95 %)", "From (95%)"),
            _c("ready_high", "À (95 %)", "To (95%)"),
        )
        if rubric.favourable
        else ()
    )
    scored = (
        (
            _c("points", "Points", "Points", 9),
            _c("points_max", "Points possibles", "Points possible", 10),
            _c("score", "Note sur 10", "Score out of 10", 9),
            _c("score_low", "Note, de (95 %)", "Score, from (95%)", 10),
            _c("score_high", "Note, à (95 %)", "Score, to (95%)", 10),
            *(zeros_column(c.id, c.name) for c in rubric.criteria if not c.is_category),
        )
        if rubric.total_max is not None
        else ()
    )
    return Table(
        "tblResults",
        RESULTS,
        (
            RUN,
            _c("responses", "Réponses", "Responses", 10),
            _c("graded", "Notées", "Graded", 9),
            *decided,
            *scored,
        ),
    )


def _names(rubric: Rubric) -> tuple[str, str]:
    words = rubric.outcomes.get(rubric.favourable, Words(rubric.favourable, rubric.favourable))
    return words.in_("fr").capitalize(), words.in_("en").capitalize()


def level_column(criterion: Criterion, level: Level) -> Column:
    """Return the column that counts the responses at a level of a criterion."""
    shown = {
        language: f"{criterion.name.in_(language)} {criterion.shown(level, language)}"
        for language in ("fr", "en")
    }
    return Column(f"{criterion.id}_{level}", Words(shown["fr"], shown["en"]), 14)


def levels_table(rubric: Rubric) -> Table:
    """Return the table of responses at each level: one row a run, one column a level of a criterion."""
    graded = [c for c in rubric.criteria if not c.is_category]
    return Table("tblLevels", RESULTS, (RUN, *(level_column(c, level) for c in graded for level in c.levels)))


RATES = Table(
    "tblRates",
    RESULTS,
    (
        RUN,
        _c("stratum", "Strate", "Stratum", 14),
        _c("label", "Catégorie", "Category", 20),
        _c("count", "Réponses", "Responses", 10),
        _c("of", "Sur", "Of", 8),
        SHARE,
        LOW,
        HIGH,
    ),
)
_STATISTICS = (
    _c("equal", "Pareil", "Equal", 9),
    _c("of", "Sur", "Of", 8),
    SHARE,
    LOW,
    HIGH,
    _c("ticket_low", "Par billet, de", "By ticket, from", 10),
    _c("ticket_high", "Par billet, à", "By ticket, to", 10),
    _c("kappa", "Kappa", "Kappa", 9),
    _c("kappa_low", "Kappa, de", "Kappa, from", 10),
    _c("kappa_high", "Kappa, à", "Kappa, to", 10),
    _c("kappa_ticket_low", "Kappa par billet, de", "Kappa by ticket, from", 10),
    _c("kappa_ticket_high", "Kappa par billet, à", "Kappa by ticket, to", 10),
    _c("kappa_linear", "Kappa linéaire", "Kappa, linear", 10),
    _c("kappa_quadratic", "Kappa quadratique", "Kappa, quadratic", 11),
    _c("ac1", "AC1", "AC1", 9),
    _c("ac1_low", "AC1, de", "AC1, from", 9),
    _c("ac1_high", "AC1, à", "AC1, to", 9),
    _c("ac2_quadratic", "AC2 quadratique", "AC2, quadratic", 11),
    _c("fleiss", "Kappa de Fleiss", "Fleiss' kappa", 9),
    _c("alpha_nominal", "Alpha nominal", "Alpha, nominal", 10),
    _c("alpha_ordinal", "Alpha ordinal", "Alpha, ordinal", 10),
    _c("alpha_interval", "Alpha d’intervalle", "Alpha, interval", 11),
    _c("gap_1", "Écart d’un niveau", "One level apart", 10),
    _c("gap_2", "Écart de deux ou plus", "Two or more apart", 11),
    _c("state", "État du kappa", "State of kappa", 30),
    _c("alpha_state", "État de l’alpha", "State of alpha", 30),
)
WHAT = _c("what", "Ce qui est comparé", "What is compared", 24)
AGREEMENT_TABLE = Table("tblAgreement", AGREEMENT, (RUN, WHAT, *_STATISTICS))
PAIRS_TABLE = Table("tblPairs", AGREEMENT, (_c("pair", "Lecteurs", "Readers", 34), WHAT, *_STATISTICS))
READERS_TABLE = Table(
    "tblReaders",
    AGREEMENT,
    (
        _c("reader", "Lecteur", "Reader", 34),
        _c("kind", "Ce qu’il est", "What it is", 24),
        _c("read", "Lues", "Read", 9),
        _c("shared", "En commun", "Shared", 8),
    ),
)
CONFUSION_TABLE = Table(
    "tblConfusion",
    AGREEMENT,
    (
        _c("pair", "Lecteurs", "Readers", 34),
        WHAT,
        _c("first_level", "Note du premier", "Grade of the first", 9),
        _c("second_level", "Note du second", "Grade of the second", 8),
        _c("count", "Réponses", "Responses", 9),
    ),
)
DISCUSSED_TABLE = Table(
    "tblDiscussed",
    AGREEMENT,
    (
        _c("measure", "Ce qui est comparé", "What is compared", 34),
        _c("before", "Pareil avant discussion", "Equal before discussion", 24),
        _c("after", "Pareil après", "Equal after", 9),
        _c("of", "Sur", "Of", 8),
    ),
)
REDRAWN_TABLE = Table(
    "tblRedrawn",
    AGREEMENT,
    (
        _c("measure", "Ce qui est comparé", "What is compared", 34),
        _c("coefficient", "Coefficient", "Coefficient", 24),
        _c("drawn_value", "Valeur", "Value", 9),
        _c("drawn_low", "De (95 %)", "From (95%)", 8),
        _c("drawn_high", "À (95 %)", "To (95%)", 9),
        _c("undefined", "Tirages sans valeur", "Draws without a value", 10),
    ),
)


def coefficient_name(key: str) -> Words:
    """Return the heading of a coefficient's column."""
    return next(column.header for column in _STATISTICS if column.key == key)


APART_TABLE = Table(
    "tblApart",
    RESULTS,
    (
        RUN,
        _c("other", "Comparée à", "Compared with", 20),
        _c("measure", "Sur quoi", "On what", 9),
        _c("tickets", "Billets", "Tickets", 9),
        _c("better_first", "Mieux, la première", "Better, the first"),
        _c("better_second", "Mieux, la seconde", "Better, the second"),
        _c("difference", "Différence", "Difference", 10),
        _c("difference_low", "De (95 %)", "From (95%)"),
        _c("difference_high", "À (95 %)", "To (95%)"),
        _c("p", "p", "p", 9),
        _c("adjusted", "p ajusté", "Adjusted p", 9),
        _c("told_apart", "Départagées", "Told apart", 12),
    ),
)
JUDGE_TABLE = Table(
    "tblJudge", JUDGE, (_c("what", "Élément", "Item", 52), _c("value", "Valeur", "Value", 60))
)


def detail_table(rubric: Rubric) -> Table:
    """Return the table of readings: who read what, its grades, codes, total, decision and reason; the text comes last."""
    criteria = tuple(Column(c.id, c.name, 14) for c in rubric.criteria)
    total = (_c("total", "Total", "Total", 8),) if rubric.total_max is not None else ()
    verdict = (Column("verdict", VERDICT_GENERAL, 16),) if rubric.verdict else ()
    return Table(
        "tblDetail",
        DETAIL,
        (
            _c("item", "Billet", "Ticket", 9),
            _c("label", "Lettre", "Label", 7),
            RUN,
            _c("grader", "Évaluateur", "Grader", 14),
            _c("owner", "Note retenue", "Counts", 9),
            *criteria,
            *total,
            *verdict,
            _c("stale", "Périmée", "Stale", 9),
            _c("codes", "Motifs", "Issues", 30),
            _c("reason", "Raison", "Reason", 50),
            _c("id", "Identifiant", "Id", 12),
            _c("fingerprint", "Empreinte", "Fingerprint", 18),
        ),
    )


RESPONSE = _c("response", "Réponse", "Response", 60)
