"""``check``, ``recompute`` and what every command that shows figures shares: a campaign's workbooks become results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lark_sheets.core.problems import problem
from lark_sheets.core.results import Results
from lark_sheets.core.scoring import summarise
from lark_sheets.core.sealing import changed_since, early_reason
from lark_sheets.errors import LarkError, Problem, Severity
from lark_sheets.usecases.kept_judge import kept_run
from lark_sheets.usecases.keys import FoundKey
from lark_sheets.usecases.loading import Loaded, load_all, load_one, with_key
from lark_sheets.usecases.needs import Needs
from lark_sheets.workbook.grades import named
from lark_sheets.workbook.revisions import revisions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """One campaign and its results."""

    loaded: Loaded
    key: FoundKey
    results: Results


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedAll:
    """The results of all campaigns given, and what could not be read."""

    computed: list[Computed]
    failed: list[LarkError]

    @property
    def has_errors(self) -> bool:
        """Say whether a problem of severity error was found anywhere."""
        return bool(self.failed) or any(
            p.severity is Severity.ERROR for one in self.computed for p in one.results.problems
        )


def recompute(
    paths: Sequence[Path], needs: Needs, *, key: Path | None = None, allow_mixed: bool = False
) -> ComputedAll:
    """Recompute results from workbooks: those of one campaign are merged, several campaigns stay apart.

    A single path that cannot be used raises its own :class:`LarkError`; among several it is told as failed.
    """
    if len(paths) == 1:
        return ComputedAll(
            computed=[compute(load_one(paths[0], needs), needs, key=key, allow_mixed=allow_mixed)], failed=[]
        )
    loaded = load_all(paths, needs)
    computed = [compute(one, needs, key=key, allow_mixed=allow_mixed) for one in loaded.campaigns]
    return ComputedAll(computed=computed, failed=loaded.failed)


def compute(loaded: Loaded, needs: Needs, *, key: Path | None = None, allow_mixed: bool = False) -> Computed:
    """Return the results of one loaded campaign; runs have names only after the reveal, with a key that fits."""
    campaign = loaded.campaign
    found = with_key(loaded, needs, key)
    problems: list[Problem] = list(loaded.problems)
    names = found.run_of if campaign.revealed and found.matches else None
    stale = [r for r in campaign.readings if campaign.is_stale(r)]
    if stale:
        responses = campaign.response()
        where = named(
            f"{responses[r.response].item}-{responses[r.response].label} ({r.grader})" for r in stale
        )
        severity = Severity.WARNING if allow_mixed else Severity.ERROR
        problems.append(
            problem(
                "stale_grades",
                severity=severity,
                found=where,
                count=len(stale),
                version=campaign.rubric.version,
            )
        )
    changed = changed_since(campaign) if campaign.revealed else []
    if changed:
        problems.append(problem("changed_after_reveal", found=named(changed)))
    early = early_reason(campaign.log) if campaign.revealed else ""
    if early:
        problems.append(problem("revealed_early", found=early))
    if campaign.revealed and names is None and not found.problems:
        problems.append(problem("missing_key", severity=Severity.WARNING, campaign=campaign.id))
    results = summarise(
        campaign,
        run_of=names,
        runs=found.runs,
        key_matches=found.matches,
        problems=problems,
        allow_mixed=allow_mixed,
        revealed_early=early,
        judge=kept_run(campaign, loaded.path, needs.files),
    )
    revisions = revisions_of(loaded.read, names)
    if revisions:
        results = replace(results, extra={**results.extra, "revisions": revisions})
    return Computed(loaded=loaded, key=found, results=results)
