"""Agreement in plain words: notes, readers and methods by their keys, in the reader's language."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import NamedTuple

from lark_sheets.core.agreement import Note, NoteId, PlacedNote, ReaderKind
from lark_sheets.core.agreement.by_ticket import FEWEST_ITEMS, FEWEST_TICKETS
from lark_sheets.core.language import Translator
from lark_sheets.core.resampling import DRAWS
from lark_sheets.core.results import AgreementSummary, ReaderSummary, Results
from lark_sheets.core.rubric import Rubric


def N_(message: str) -> str:  # noqa: N802  (gettext's name for "translate later")
    """Mark a message for the catalogue without translating it here."""
    return message


class Sentence(NamedTuple):
    """A sentence with its plural, and the parameter that decides between them."""

    one: str
    many: str = ""
    counted: str = ""


NONE_READ_TWICE = Sentence(
    N_("The one response was not read twice: nothing is known of agreement."),
    N_("None of the {items} responses was read twice: nothing is known of agreement."),
    "items",
)
ALL_READ_TWICE = Sentence(
    N_("The one response was read twice or more."),
    N_("All {items} responses were read twice or more."),
    "items",
)
NOTHING_SHARED = Sentence(N_("{coefficient} is {state}."))
NOTES: Mapping[NoteId, Sentence] = {
    NoteId.NOT_READ_TWICE: Sentence(
        N_("{once} of {items} responses ({share}) was read by one reader only: nothing here speaks of it."),
        N_(
            "{once} of {items} responses ({share}) were read by one reader only: nothing here speaks of them."
        ),
        "once",
    ),
    NoteId.SMALL_SAMPLE: Sentence(
        N_("{n} response read twice tells next to nothing."),
        N_("{n} responses read twice are few: what the intervals leave open stays open."),
        "n",
    ),
    NoteId.UNDEFINED: Sentence(
        N_("{coefficient} is {state}; grades are equal on {equal} of {n} responses read twice.")
    ),
    NoteId.ONE_READER_CONSTANT: Sentence(
        N_(
            "{reader} gave {level} to every response: kappa is then exactly 0, although {equal} of {n} are equal."
        )
    ),
    NoteId.PREVALENCE: Sentence(
        N_(
            "Most grades are {level} ({share}): {coefficient} ({value}) falls although {equal} of {n} are equal. "
            "Read the counts and AC1 ({ac1})."
        )
    ),
    NoteId.BELOW_CHANCE: Sentence(
        N_("{coefficient} is below 0 ({value}): the readers agree less often than chance would have it.")
    ),
    NoteId.ALL_EQUAL: Sentence(
        N_("The one response is equal; in others like it agreement may be as low as {low}."),
        N_("All {n} are equal; in others like them agreement may still be as low as {low}."),
        "n",
    ),
    NoteId.INTERVAL_DECIDES_NOTHING: Sentence(
        N_(
            "The interval of kappa, {low} to {high}, has {gate} inside, the kappa asked of an automatic judge: "
            "so few responses do not tell on which side these readers are."
        )
    ),
    NoteId.WIDE_GAPS: Sentence(
        N_("{items} response differs by two levels or more (at most {widest})."),
        N_("{items} responses differ by two levels or more (at most {widest})."),
        "items",
    ),
    NoteId.ORDINAL_ALPHA_FLATTERS: Sentence(
        N_(
            "The ordinal alpha ({ordinal}) is far above the nominal one ({nominal}): "
            "it hardly counts a difference between two levels that are rarely given."
        )
    ),
    NoteId.MORE_THAN_TWO_READERS: Sentence(
        N_(
            "{readers} readers: equal means that all who read a response gave the same. "
            "Kappa describes two persons and is given pair by pair."
        )
    ),
    NoteId.NOT_PERSONS: Sentence(
        N_(
            "Places of readers (first, second) are not persons, as several may have filled them: no kappa between them."
        )
    ),
    NoteId.MODEL_READER: Sentence(
        N_("{reader} is a model, not a person: this is not agreement between two persons.")
    ),
    NoteId.MODEL_OF_CANDIDATE_FAMILY: Sentence(
        N_(
            "{reader} is a model of the same family as runs that it grades, and may share their blind spots: "
            "this is not agreement between two persons."
        )
    ),
    NoteId.READ_NOTHING: Sentence(N_("{reader} read no response that another reader read too.")),
    NoteId.SAME_TICKETS: Sentence(
        N_(
            "Answers to one ticket resemble each other: the variance is {design_effect} times that of unrelated responses. "
            "Read the interval by ticket."
        )
    ),
    NoteId.AFTER_DISCUSSION: Sentence(
        N_(
            "After discussions {after} of {n} are equal, before them {before}: "
            "grades that were talked over do not tell what two people do alone."
        )
    ),
}
COEFFICIENTS: Mapping[str, str] = {"kappa": N_("Kappa"), "alpha_nominal": N_("Alpha")}
SHARES = frozenset({"share", "low"})
"""Parameters shown as percentages; other numbers with a fraction have two decimals."""
KINDS: Mapping[ReaderKind, str] = {
    ReaderKind.PERSON: N_("person"),
    ReaderKind.MODEL: N_("model"),
    ReaderKind.MODEL_OF_CANDIDATE_FAMILY: N_("model of a candidate's family"),
    ReaderKind.POSITION: N_("place, not a person"),
}


def notes_in_words(results: Results, t: Translator, without: Collection[NoteId] = ()) -> list[str]:
    """Return what must be read beside the numbers on agreement, with what each is about; ``without`` those on numbers not shown."""
    placed = (one for one in results.agreement_notes if one.note.id not in without)
    return [note_in_words(one, results.rubric, t) for one in placed]


def note_in_words(placed: PlacedNote, rubric: Rubric, t: Translator) -> str:
    """Return one note; it is preceded by what it is about unless that is everything."""
    sentence = _sentence(placed.note)
    values = _values(placed, rubric, t)
    text = (
        t.plural(sentence.one, sentence.many, int(placed.note.parameters[sentence.counted]))
        if sentence.many
        else t.single(sentence.one)
    )
    said = text.format(**values)
    if not placed.about:
        return said
    if not text.startswith("{reader}"):
        said = said[:1].lower() + said[1:]
    about = ", ".join(measure_name(key, rubric, t) for key in placed.about)
    return t("{name}: {value}", name=about, value=said)


def _sentence(note: Note) -> Sentence:
    if note.id is NoteId.NOT_READ_TWICE:
        once, items = note.parameters["once"], note.parameters["items"]
        return NONE_READ_TWICE if once == items else NOTES[note.id] if once else ALL_READ_TWICE
    if note.id is NoteId.UNDEFINED and not note.parameters["n"]:
        return NOTHING_SHARED
    return NOTES[note.id]


def _values(placed: PlacedNote, rubric: Rubric, t: Translator) -> dict[str, str]:
    note = placed.note
    values = {
        name: _value(name, value, kappa=note.id is NoteId.INTERVAL_DECIDES_NOTHING, t=t)
        for name, value in note.parameters.items()
    }
    if note.id is NoteId.NOT_READ_TWICE:
        share = float(note.parameters["once"]) / float(note.parameters["items"])
        values["share"] = t.percent(share)
    if "level" in values:
        values["level"] = level_name(
            next(iter(placed.about), rubric.criteria[0].id), values["level"], rubric, t
        )
    if "coefficient" in values:
        values["coefficient"] = t(COEFFICIENTS[values["coefficient"]])
    if "state" in values:
        values["state"] = t(values["state"])
    return values


def _value(name: str, value: float | Fraction | str, *, kappa: bool, t: Translator) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return t.whole(value)
    return t.percent(value) if name in SHARES and not kappa else t.decimal(value, 2)


def measure_name(key: str, rubric: Rubric, t: Translator) -> str:
    """Return the name of a measure: a criterion, or the decision where the key is empty."""
    return rubric.criterion(key).name.in_(t.language) if key else t("Decision")


def level_name(key: str, level: object, rubric: Rubric, t: Translator) -> str:
    """Return a level of a criterion, or one of the two values of the decision (empty key), as people read it."""
    if key:
        criterion = rubric.criterion(key)
        known = next((one for one in criterion.levels if str(one) == str(level)), None)
        return str(level) if known is None else criterion.shown(known, t.language)
    main = rubric.favourable or rubric.main_label
    shown = _outcome(main, rubric, t)
    if str(level) == main:
        return shown
    two = rubric.favourable and len(rubric.outcomes) == 2
    return _outcome(str(level), rubric, t) if two else t("not “{outcome}”", outcome=shown)


def _outcome(outcome: str, rubric: Rubric, t: Translator) -> str:
    if outcome in rubric.outcomes:
        return rubric.outcomes[outcome].in_(t.language)
    for criterion in rubric.criteria:
        if criterion.is_category and outcome in map(str, criterion.levels):
            return criterion.shown(outcome, t.language)
    return outcome


def reader_in_words(reader: ReaderSummary, t: Translator) -> str:
    """Return who a reader is and what it read: "reader-2 (model of a candidate's family: claude), 28 read, 28 of them shared"."""
    kind = t(KINDS[reader.kind])
    if reader.model:
        kind = t("{name}: {value}", name=kind, value=reader.model)
    return t(
        "{reader} ({kind}), {read} read, {shared} of them shared",
        reader=reader.name,
        kind=kind,
        read=t.whole(reader.read),
        shared=t.whole(reader.shared),
    )


def methods_in_words(summary: AgreementSummary, t: Translator, *, brief: bool = False) -> list[str]:
    """Return how each number and each interval shown was computed; ``brief`` for a page without weighted coefficients."""
    measured = [found for _, found in summary.measured]
    said = [t("Intervals are 95% ones. Share of equal grades: Wilson, responses counted as unrelated.")]
    if summary.is_clustered if brief else summary.tickets < summary.shared:
        said.append(
            t(
                "By ticket: Wilson for the sample that the design effect leaves, with Student's quantile; "
                "several shared responses answer the same ticket."
            )
        )
    if any(found.kappa.defined for found in measured):
        said.append(
            t(
                "Kappa (Cohen, unweighted) and AC1 (Gwet): Wilson's bounds of the share mapped through the coefficient, chance held fixed."
            )
        )
    else:
        said.append(t("AC1: Gwet. Fleiss' kappa and Krippendorff's alpha: any number of readers, with gaps."))
    if not brief:
        said += _weighted(summary, t)
    said.append(
        t("All levels of the scale count, used or not; responses read by one reader count in no coefficient.")
    )
    return said


def _weighted(summary: AgreementSummary, t: Translator) -> list[str]:
    drawn = any(found.resampled for key, _ in summary.measured if (found := summary.of_tickets(key)))
    return [
        t(
            "Linear kappa, Fleiss' kappa, nominal and ordinal alpha: {draws} redrawn samples of tickets.",
            draws=t.whole(DRAWS),
        )
        if drawn
        else t(
            "Linear kappa, Fleiss' kappa, nominal and ordinal alpha have an interval from {responses} shared responses "
            "on {tickets} tickets on; with fewer it would be too short.",
            responses=FEWEST_ITEMS,
            tickets=FEWEST_TICKETS,
        ),
        t("Quadratic kappa, AC2 and interval alpha have none: every one that was tried is too short."),
        t("Linear weights: 1 less the distance in levels over the widest; quadratic: 1 less its square."),
    ]
