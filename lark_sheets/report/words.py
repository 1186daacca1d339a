"""The phrases that every page shares: names of criteria and outcomes, counts, shares and intervals in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lark_sheets.core.campaign import Campaign, Item, Response
from lark_sheets.core.intervals import Interval
from lark_sheets.core.language import NBSP, Translator
from lark_sheets.core.results import Results
from lark_sheets.core.rubric import Level


def phrases_of(results: Results, campaign: Campaign, translate: Translator) -> Phrases:
    """Return the phrases of one campaign's results in the translator's language."""
    return Phrases(results, campaign, translate, campaign.response(), campaign.item())


NARROW = 7
"""Letters that the heading of a narrow column can hold."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases about one campaign's results in one language."""

    results: Results
    campaign: Campaign
    translate: Translator
    response: Mapping[str, Response]
    item: Mapping[str, Item]

    @property
    def language(self) -> str:
        """Language of the page, "fr" or "en"."""
        return self.translate.language

    def criterion(self, criterion_id: str) -> str:
        """Return the name of a criterion."""
        return self.results.rubric.criterion(criterion_id).name.in_(self.language)

    def brief(self, criterion_id: str, letters: int = NARROW) -> str:
        """Return the name of a criterion as a narrow column can hold it: "Compl." for "Completeness"."""
        words = self.criterion(criterion_id).split()
        return " ".join(
            word if len(word) <= letters else f"{word[: letters - 1].rstrip('aeiouyé')}."
            for word in words
            if len(words) < 3 or len(word) > 2  # "Resp. format" for "Respect du format"
        )

    def level(self, criterion_id: str, level: Level | None) -> str:
        """Return a grade as people see it; a missing one is a dash."""
        if level is None:
            return "–"
        return self.results.rubric.criterion(criterion_id).shown(level, self.language)

    def label(self, label: str) -> str:
        """Return a category's name, whichever criterion holds it."""
        for criterion in self.results.rubric.criteria:
            if criterion.is_category and label in map(str, criterion.levels):
                return criterion.shown(label, self.language)
        return label

    def stratum(self, stratum: str) -> str:
        """Return a stratum's name; one group that has no name is "all"."""
        words = self.results.rubric.strata.get(stratum)
        return words.in_(self.language) if words else self.translate("all") if stratum == "all" else stratum

    def outcome(self, outcome: str | None) -> str:
        """Return a verdict in words; a missing one is a dash."""
        if outcome is None:
            return "–"
        words = self.results.rubric.outcomes.get(outcome)
        return words.in_(self.language) if words else outcome

    def verdict(self, outcome: str | None, *, corrected: bool) -> str:
        """Return a verdict in words; below the top total a ready response is "ready after a correction"."""
        if corrected and self.results.rubric.favourable == "ready":
            return self.translate("ready after a correction")
        return self.outcome(outcome)

    @property
    def ready(self) -> str:
        """Return the favourable outcome as it stands after a number of responses ("ready", “acceptable”)."""
        if self.results.rubric.favourable == "ready":
            return self.translate.short("plural", "ready")
        return self.translate("“{word}”", word=self.outcome(self.results.rubric.favourable))

    @property
    def ready_title(self) -> str:
        """Return the favourable outcome as a heading."""
        favourable = self.results.rubric.favourable
        word = self.ready if favourable == "ready" else self.outcome(favourable)
        return word[:1].upper() + word[1:]

    def of(self, k: int, n: int) -> str:
        """Return "22 of 24"."""
        return self.translate("{k} of {n}", k=self.translate.whole(k), n=self.translate.whole(n))

    def between(self, interval: Interval | None) -> str:
        """Return "74% to 98%", or a dash where there is no interval."""
        if interval is None:
            return "–"
        return self.to(self.translate.percent(interval.low), self.translate.percent(interval.high))

    def to(self, low: str, high: str) -> str:
        """Return "74% to 98%", never broken over two lines; one figure when both are the same."""
        if low == high:
            return low
        return self.translate("{low} to {high}", low=low, high=high).replace(" ", NBSP)

    def coefficient(self, value: float | None) -> str:
        """Return a coefficient with two decimals, or a dash."""
        return "–" if value is None else self.translate.decimal(value, 2)

    def coefficients(self, interval: Interval | None) -> str:
        """Return "0.54 to 0.98", or a dash."""
        if interval is None:
            return "–"
        return self.to(self.translate.decimal(interval.low, 2), self.translate.decimal(interval.high, 2))

    def spread(self, values: Sequence[int]) -> str:
        """Return "22 to 24", or the one value when all are equal."""
        low, high = min(values), max(values)
        return self.to(str(low), str(high))

    def listing(self, names: Sequence[str]) -> str:
        """Return names as a sentence lists them: "a, b and c"."""
        if len(names) < 2:
            return "".join(names)
        return self.translate("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])

    def colon(self, name: str, value: str) -> str:
        """Return "name: value" with the language's own blank before the colon."""
        return self.translate("{name}: {value}", name=name, value=value)

    def run(self, run: str | None) -> str:
        """Return a run's name, or what stands for all responses together."""
        return run or self.translate("All responses")

    def reader(self, name: str) -> str:
        """Return a reader's name, told as a model where it is one."""
        family = self.results.graders.get(name, "")
        return self.translate("{name} (a model, {family})", name=name, family=family) if family else name
