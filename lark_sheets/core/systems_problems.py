"""The catalogue of problems, part of refusals, code checks, comparisons, similarity and export; merged into :data:`~lark_sheets.core.problems.CATALOGUE`."""

from __future__ import annotations

from lark_sheets.errors import Severity

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

Words = tuple[Severity, str, str, str]
"""Severity, what happened, what is expected, what to do."""


def N_(message: str) -> str:  # noqa: N802  (gettext's name for "translate later")
    """Mark a message for the catalogue without translating it here."""
    return message


SYSTEMS_PROBLEMS: dict[str, Words] = {
    # -- refusal bench ----------------------------------------------------------------------------------------------
    "unknown_protocol": (
        ERROR,
        N_("there is no protocol “{found}”"),
        N_("one of {allowed}, or a file"),
        N_("Name a shipped protocol, or the path of your own."),
    ),
    "protocol_fault": (
        ERROR,
        N_("the protocol cannot be read: {found}"),
        N_("the parts of a shipped protocol"),
        N_("Compare it with workbooks/protocols/refus-v1.toml and complete it."),
    ),
    "prompt_set_printed_hash": (
        WARNING,
        N_(
            "this is the file of revision {revision} (SHA-256 {found}); the SHA-256 printed with the protocol, {printed}, is another file's"
        ),
        N_("one hash for one file"),
        N_("Nothing to mend here: both hashes are kept in protocol.json, and the difference is told."),
    ),
    "prompt_set_line_ends": (
        NOTE,
        N_("the file is that of revision {revision}, saved with other line ends (SHA-256 {found})"),
        N_("the file as it was published"),
        N_("Nothing to do: the requests are the same."),
    ),
    "prompt_set_differs": (
        WARNING,
        N_("the file (SHA-256 {found}) is not that of revision {revision}"),
        N_("SHA-256 {expected}"),
        N_(
            "Take the file of that revision; otherwise rates are those of another set, and protocol.json says so."
        ),
    ),
    "prompt_list_differs": (
        WARNING,
        N_("the chosen list (SHA-256 {found}) is not the one that was fixed before measuring"),
        N_("SHA-256 {expected}"),
        N_("Take the original file; with this list runs are exploratory and stay out of the ranking."),
    ),
    "unknown_stratum": (
        ERROR,
        N_("“{found}” is no label of the protocol"),
        N_("one of {allowed}"),
        N_("Correct the label, or the strata of the protocol."),
    ),
    "few_of_type": (
        WARNING,
        N_("the type {found} has {count} requests only"),
        N_("{expected} of each type"),
        N_("The whole type was taken; with this list runs are exploratory and stay out of the ranking."),
    ),
    "exploratory_sample": (
        NOTE,
        N_("an exploratory sample: {found} requests of each type"),
        N_("{expected}, as the protocol fixes"),
        N_("Good for trying things out; runs on it stay out of the ranking."),
    ),
    "not_a_refusal_campaign": (
        ERROR,
        N_("this campaign's rubric ({found}) has no main label"),
        N_("a rubric of categories such as “refusals”"),
        N_("Give a campaign made with new --rubric refusals."),
    ),
    "conditions_kind": (
        ERROR,
        N_("“{found}” is no kind of profile"),
        N_("local or cloud"),
        N_("Correct the column kind."),
    ),
    "conditions_lacking": (
        WARNING,
        N_("the conditions of {run} do not state {found}"),
        N_("what tells this profile from another"),
        N_("Add it to the table of conditions; the catalogue says that it is lacking."),
    ),
    "conditions_absent": (
        WARNING,
        N_("no conditions are told of {count} runs: {found}"),
        N_("one row a run"),
        N_("Add the rows to the table given with --conditions."),
    ),
    "conditions_unknown_run": (
        WARNING,
        N_("conditions are told of “{found}”, which is no run of this campaign"),
        N_("the name under which the responses came in"),
        N_("Correct the name, or leave the row out."),
    ),
    "unknown_label": (
        ERROR,
        N_("“{found}” is no label of the rubric"),
        N_("one of {allowed}, or blank where the judge gave none"),
        N_("Correct the label."),
    ),
    # -- code and word checks -----------------------------------------------------------------------------------------
    "checks_fault": (
        ERROR,
        N_("the check file does not fit the rubric {rubric}: {found}"),
        N_("codes and criteria of the rubric, in the parts of a shipped check file"),
        N_("Compare it with workbooks/checks/larkfield.toml and correct what is named."),
    ),
    # -- comparisons --------------------------------------------------------------------------------------------------
    "rubrics_differ": (
        ERROR,
        N_("the two sides were graded under different rubrics: {found} and {other}"),
        N_("one rubric, one version"),
        N_(
            "Grade both under the same version (rescore), or ask for --allow-mixed, which marks the comparison."
        ),
    ),
    "items_differ": (
        WARNING,
        N_("{count} items have one id and different texts on the two sides, and are left out: {found}"),
        N_("the same items on both sides"),
        N_("Give the items that differ another id, or compare campaigns made from the same table."),
    ),
    "no_shared_items": (
        ERROR,
        N_("the two sides have no item in common"),
        N_("the same items on both sides"),
        N_("Compare campaigns made from the same table of items."),
    ),
    "compare_not_revealed": (
        ERROR,
        N_("this campaign has several runs and is not revealed"),
        N_("a revealed campaign, or one with a single run"),
        N_("Finish grading and reveal it: comparing runs names them."),
    ),
    "compare_which_runs": (
        ERROR,
        N_("nothing says which runs belong together: {found} on one side, {other} on the other"),
        N_("runs of the same name, or --runs BEFORE AFTER"),
        N_("Name one run of each side with --runs."),
    ),
    # -- export -------------------------------------------------------------------------------------------------------
    "export_format": (
        ERROR,
        N_("“{found}” is no format that grades are exported in"),
        N_("a file name that ends in one of {allowed}"),
        N_("Give the file another ending."),
    ),
    "export_private": (
        ERROR,
        N_("outputs of a refusal campaign ({found}) are never exported"),
        N_("an export without --texts"),
        N_("Leave out --texts: each response is known by its SHA-256."),
    ),
    "missing_extra": (
        ERROR,
        N_("{feature} needs a library that is not installed ({found})"),
        N_("the optional library"),
        N_("Install it: {how}"),
    ),
    # -- similarity ---------------------------------------------------------------------------------------------------
    "no_reference": (
        ERROR,
        N_("no ticket has a reference answer, so there is nothing to be similar to"),
        N_("a column reference in the items"),
        N_("Create the campaign from items with reference answers."),
    ),
    "similarity_private": (
        ERROR,
        N_("outputs of a refusal campaign ({found}) are never sent to a service ({url})"),
        N_("the provider local"),
        N_("Leave out --provider."),
    ),
    "embeddings_url": (
        ERROR,
        N_("“{found}” is no address of a service"),
        N_("an address that starts with https:// (http:// on this machine only)"),
        N_("Give --url and --model, or leave out --provider."),
    ),
    "embeddings_unreachable": (
        ERROR,
        N_("the embedding service {url} could not be used ({found})"),
        N_("a service that answers and accepts the key"),
        N_("Check the address and LARK_SHEETS_EMBEDDINGS_KEY, or use the provider local."),
    ),
    "embeddings_refused": (
        ERROR,
        N_("the embedding service refused the request ({found})"),
        N_("a model that it knows (asked: {model})"),
        N_("Correct --model."),
    ),
    "embeddings_strange": (
        ERROR,
        N_("the embedding service {url} answered something else ({found})"),
        N_("one vector a text, in the common form of embedding services"),
        N_("Check the address: it is that of the embeddings themselves, such as https://.../v1/embeddings."),
    ),
    # -- breakdown ----------------------------------------------------------------------------------------------------
    "no_total": (
        ERROR,
        N_("the rubric {found} has no total to take means of"),
        N_("a rubric with levels"),
        N_("For a rubric of categories use refusal-measures."),
    ),
}
