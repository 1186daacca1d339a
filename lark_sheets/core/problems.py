"""The catalogue of problems: for every code its severity and its sentences, in English; French comes from the locales.

A sentence may name ``{found}`` and any parameter of the problem. ``what`` says what happened, ``expected`` what is
allowed, ``remedy`` what to do.
"""

from __future__ import annotations

from typing import NamedTuple

from lark_sheets.core.addin_problems import ADDIN_PROBLEMS
from lark_sheets.core.judge_problems import JUDGE_PROBLEMS
from lark_sheets.core.language import Translator
from lark_sheets.core.systems_problems import SYSTEMS_PROBLEMS
from lark_sheets.errors import Problem, Severity


def N_(message: str) -> str:  # noqa: N802  (gettext's name for "translate later")
    """Mark a message for the catalogue without translating it here."""
    return message


class Kind(NamedTuple):
    """One kind of problem: how much it weighs and what people read."""

    severity: Severity
    what: str
    expected: str
    remedy: str


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

CATALOGUE: dict[str, Kind] = {
    # -- grades, cell by cell ---------------------------------------------------------------------------------------
    "unreadable_grade": Kind(
        ERROR,
        N_("“{found}” is not a level of {criterion}"),
        N_("one of {levels}"),
        N_("Type one of {levels}, or leave the cell blank if the response is not graded yet."),
    ),
    "date_in_grade": Kind(
        ERROR,
        N_("a date ({found}) stands where a level of {criterion} belongs"),
        N_("one of {levels}"),
        N_("The spreadsheet turned what was typed into a date: type the level again."),
    ),
    "error_in_grade": Kind(
        ERROR,
        N_("an error value ({found}) stands where a level of {criterion} belongs"),
        N_("one of {levels}"),
        N_("Replace the formula by the level itself."),
    ),
    "formula_without_value": Kind(
        ERROR,
        N_("a formula that no program has computed stands where a level of {criterion} belongs"),
        N_("one of {levels}"),
        N_("Open the file in Excel or LibreOffice and save it once, or type the level itself."),
    ),
    "normalized_grade": Kind(
        NOTE,
        N_("“{found}” was read as {level} ({criterion})"),
        N_("the number {level}"),
        N_("Nothing to do; typed as a number it would be plainer."),
    ),
    "missing_grade": Kind(
        WARNING,
        N_("{criterion} is not graded, the other criteria are"),
        N_("one of {levels}"),
        N_("Grade it; until then this response has no total and no decision."),
    ),
    "not_graded": Kind(
        WARNING,
        N_("{count} readings are not graded yet: {found}"),
        N_("a grade for every criterion"),
        N_("Grade them; until then they have no total and no decision."),
    ),
    "merged_grade_cells": Kind(
        ERROR,
        N_("grade cells are merged ({found}); only the first holds a value"),
        N_("one grade in each cell"),
        N_("Unmerge the cells and type each grade."),
    ),
    "missing_reason": Kind(
        WARNING,
        N_("a grade is below the top, without a code or a reason"),
        N_("all codes that apply, or a line of reason"),
        N_("Choose the codes or write why."),
    ),
    "unknown_code": Kind(
        ERROR,
        N_("“{found}” is no issue code of the rubric"),
        N_("one of {codes}"),
        N_("Choose a code from the list, or write it in the reason."),
    ),
    # -- rows -------------------------------------------------------------------------------------------------------
    "version_above": Kind(
        ERROR,
        N_("the row is stamped with rubric version {found}, which does not exist yet"),
        N_("at most version {version}"),
        N_("Take the row from the workbook handed out; until then its grades are stale."),
    ),
    "duplicate_row_same": Kind(
        NOTE,
        N_("the same reading stands in rows {rows}, identical: counted once"),
        N_("one row for a response and a grader"),
        N_("Nothing to do; the copy may be deleted."),
    ),
    "duplicate_row_conflict": Kind(
        ERROR,
        N_("two different readings of this response by {grader} stand in rows {rows}: neither counts"),
        N_("one row for a response and a grader"),
        N_("Delete the row that is wrong."),
    ),
    "conflicting_copies": Kind(
        ERROR,
        N_("this reading by {grader} differs between {first} and {second} ({found})"),
        N_("the same grades in both files"),
        N_("Gather the grader's file again, or correct the file that is wrong."),
    ),
    "row_identity_broken": Kind(
        ERROR,
        N_("id, ticket, label and response no longer belong together in this row"),
        N_("the row as it was handed out"),
        N_(
            "A column was sorted alone or pasted over: undo it, or take the row from the workbook handed out."
        ),
    ),
    "unknown_row": Kind(
        ERROR,
        N_("the id “{found}” belongs to no response of this campaign"),
        N_("an id handed out with the workbook"),
        N_("Take the row from the workbook handed out; rows cannot be added by hand."),
    ),
    "date_in_id": Kind(
        ERROR,
        N_("a date ({found}) stands where an id belongs"),
        N_("the id handed out with the workbook"),
        N_("Take the id from the workbook handed out."),
    ),
    "id_cleaned": Kind(
        NOTE,
        N_("invisible characters around an id were ignored ({found})"),
        N_("the id alone"),
        N_("Nothing to do."),
    ),
    "hidden_rows_counted": Kind(
        NOTE,
        N_("{count} rows are hidden or filtered out ({rows}); they count like the others"),
        N_("all rows count"),
        N_("Nothing to do; show the rows if that is not what you meant."),
    ),
    "hidden_columns_counted": Kind(
        NOTE,
        N_("columns are hidden ({found}); they count like the others"),
        N_("all columns count"),
        N_("Nothing to do; show the columns if that is not what you meant."),
    ),
    "response_is_formula": Kind(
        WARNING,
        N_("the response is a formula instead of text"),
        N_("the text that was handed out"),
        N_("The text in the campaign is used; nothing was computed or followed."),
    ),
    "response_is_error": Kind(
        WARNING,
        N_("the response shows {found} instead of text"),
        N_("the text that was handed out"),
        N_("The text in the campaign is used."),
    ),
    # -- sheets, columns, files -------------------------------------------------------------------------------------
    "missing_sheet": Kind(
        ERROR,
        N_("there is no sheet with the table {table}; seen: {found}"),
        N_("the sheet “{wanted}”"),
        N_("Use a workbook made by lark-sheets, or restore the sheet."),
    ),
    "missing_column": Kind(
        ERROR,
        N_("there is no column “{column}”; seen: {found}"),
        N_("the column “{column}”, in French or in English, anywhere in the table"),
        N_("Give the column its name back."),
    ),
    "ambiguous_column": Kind(
        ERROR,
        N_("two columns are named “{found}”"),
        N_("one column of each name"),
        N_("Rename the column that is yours."),
    ),
    "unknown_column": Kind(
        NOTE,
        N_("columns that are not ours are left alone: {found}"),
        N_("own columns may stay"),
        N_("Nothing to do."),
    ),
    "not_a_workbook": Kind(
        ERROR,
        N_("this is not a workbook ({found})"),
        N_("a workbook made by lark-sheets (.xlsx, .xlsm, .ods, .xls)"),
        N_("Choose the workbook itself, or save it again from your spreadsheet program."),
    ),
    "encrypted_file": Kind(
        ERROR,
        N_("the workbook is protected by a password and cannot be read"),
        N_("a workbook without a password to open it"),
        N_(
            "In Excel: File > Info > Protect Workbook, remove the password and save; the protection of sheets may stay."
        ),
    ),
    "empty_file": Kind(
        ERROR,
        N_("the file is empty"),
        N_("a file with content"),
        N_("Choose another file, or export it again."),
    ),
    "damaged_file": Kind(
        ERROR,
        N_("the file is damaged ({found})"),
        N_("a file that opens in a spreadsheet program"),
        N_("Open it in Excel or LibreOffice, let the program repair it, and save it under another name."),
    ),
    "missing_file": Kind(
        ERROR, N_("there is no such file"), N_("an existing path"), N_("Check the path: {found}")
    ),
    "file_locked": Kind(
        ERROR,
        N_("the file is open in another program or may not be written"),
        N_("a file that is closed and may be written"),
        N_("Close it in Excel (or use the button inside Excel), then try again; nothing was changed."),
    ),
    "disk_fault": Kind(
        ERROR,
        N_("the file could not be read or written: {found}"),
        N_("a disk that answers and has room"),
        N_("Check the drive, the network and the free space; what stood there before is unchanged."),
    ),
    "too_large": Kind(
        ERROR,
        N_("the file would unfold to more than can be read safely ({found})"),
        N_("at most {limit}"),
        N_(
            "Delete what is not yours or lies far outside the tables (rows, columns, sheets), and save again."
        ),
    ),
    "no_such_sheet": Kind(
        ERROR,
        N_("the workbook has no sheet “{found}”"),
        N_("the sheets it was made with"),
        N_("Nothing was changed. Give the sheet its name back."),
    ),
    "formula_in_the_way": Kind(
        ERROR,
        N_("a formula stands where a value belongs ({found})"),
        N_("a cell without a formula"),
        N_("Nothing was changed. Replace the formula by its value, or delete it."),
    ),
    "no_room_below": Kind(
        ERROR,
        N_("rows cannot be added under the table {table}: {found} is in the way"),
        N_("empty rows under the table"),
        N_("Nothing was changed. Move what stands under the table elsewhere."),
    ),
    "strict_workbook": Kind(
        ERROR,
        N_("the workbook was saved as “Strict Open XML”, which is not changed here"),
        N_("an ordinary Excel workbook (.xlsx)"),
        N_("Nothing was changed. In Excel: File > Save As > Excel Workbook (.xlsx)."),
    ),
    "file_changed": Kind(
        ERROR,
        N_("another program changed the file in the meantime"),
        N_("a file that nobody else writes"),
        N_("Nothing was changed. Close it elsewhere, then try again."),
    ),
    "read_only_format": Kind(
        ERROR,
        N_("a file of this kind ({found}) is read, not changed"),
        N_("an .xlsx or .xlsm workbook"),
        N_("Nothing was changed. Save it as .xlsx in your spreadsheet program, then try again."),
    ),
    "no_header": Kind(
        ERROR,
        N_("the first row holds no column names"),
        N_("one row of column names, then the data"),
        N_("Put the names of the columns in the first row."),
    ),
    "uneven_row": Kind(
        ERROR,
        N_("row {row} has {found} values, the header {columns}"),
        N_("as many values as columns"),
        N_("Look for a stray separator or a quotation mark that is not closed, or save the table as .xlsx."),
    ),
    "bad_json_line": Kind(
        ERROR,
        N_("line {row} is not a JSON object: {found}"),
        N_("one JSON object in every line"),
        N_("Correct the line, or export the file again."),
    ),
    "broken_quotes": Kind(
        ERROR,
        N_("row {row} has a quotation mark that is not closed, or text behind one ({found})"),
        N_("values in quotation marks, those inside doubled"),
        N_("Correct the row, or save the table as .xlsx."),
    ),
    "not_a_table": Kind(
        ERROR,
        N_("this is not a table ({found})"),
        N_("CSV, TSV, JSONL or .xlsx"),
        N_("Export the table again in one of these forms."),
    ),
    "uncomputed_cell": Kind(
        ERROR,
        N_("a formula that no program has computed stands here"),
        N_("a value"),
        N_("Open the file in Excel or LibreOffice and save it once, or type the value itself."),
    ),
    "error_cell": Kind(
        ERROR,
        N_("an error value ({found}) stands here"),
        N_("a value"),
        N_("Replace the formula by the value or the text itself."),
    ),
    "open_elsewhere": Kind(
        ERROR,
        N_("the workbook is open in another program: {found} lies beside it"),
        N_("a file that is closed"),
        N_("Close it there, then try again; nothing was changed. If nobody has it open, delete that file."),
    ),
    "undecodable_text": Kind(
        ERROR,
        N_("byte {row} fits no known encoding ({found})"),
        N_("text in UTF-8, UTF-16 or Windows-1252"),
        N_("Save the file as CSV (UTF-8) or as .xlsx."),
    ),
    "already_there": Kind(
        ERROR,
        N_("the folder already holds a campaign"),
        N_("an empty folder"),
        N_("Choose another folder; what people typed is never overwritten."),
    ),
    "no_campaign": Kind(
        ERROR,
        N_("the folder holds no campaign.xlsx"),
        N_("a campaign folder or a workbook"),
        N_("Give the folder made by lark-sheets new, or a workbook."),
    ),
    "layout_newer": Kind(
        ERROR,
        N_("the workbook was made by a newer lark-sheets (layout {found})"),
        N_("layout {supported} or older"),
        N_("Update lark-sheets."),
    ),
    "not_ours": Kind(
        ERROR,
        N_("the workbook was not made by lark-sheets: it carries no campaign mark"),
        N_("a campaign or grader workbook"),
        N_("Use the workbook handed out; to start from your own table, use lark-sheets new."),
    ),
    "other_campaign": Kind(
        ERROR,
        N_("the workbook belongs to another campaign ({found})"),
        N_("a workbook of campaign {campaign}"),
        N_("Gather it into its own campaign."),
    ),
    "other_version": Kind(
        ERROR,
        N_("the workbook was made under rubric version {found}"),
        N_("a workbook of rubric version {version}"),
        N_("Hand out the workbook that rescore made; grades given under two versions are never mixed."),
    ),
    "missing_rows": Kind(
        WARNING,
        N_("{count} rows that were handed out are missing or could not be read"),
        N_("all rows handed out"),
        N_("Take the rows from the workbook handed out; grades gathered before are kept."),
    ),
    "text_too_long": Kind(
        ERROR,
        N_("a text has {found} characters; a cell holds {limit}"),
        N_("at most {limit} characters"),
        N_("Shorten or split the text; nothing is ever cut silently."),
    ),
    # -- input tables -----------------------------------------------------------------------------------------------
    "no_rows": Kind(
        ERROR, N_("the table has a header but no row"), N_("at least one row"), N_("Check the export.")
    ),
    "empty_value": Kind(
        ERROR,
        N_("the column “{column}” is empty in row {row}"),
        N_("a value in every row"),
        N_("Fill it in."),
    ),
    "repeated_id": Kind(
        ERROR,
        N_("“{found}” stands more than once ({rows})"),
        N_("each only once"),
        N_("Remove or rename the repeats."),
    ),
    "unknown_item": Kind(
        ERROR,
        N_("the item “{found}” is not among the items"),
        N_("an item of the items file"),
        N_("Correct the id."),
    ),
    "unknown_response": Kind(
        ERROR,
        N_("no response fits “{found}”"),
        N_("a response id, or an item and a run, of this campaign"),
        N_("Correct the id; with item and run the key must be there (--key)."),
    ),
    "unknown_run": Kind(
        ERROR,
        N_("the run “{found}” is not in the key"),
        N_("one of the campaign's {count} runs"),
        N_("Correct the name; runs are not listed here before the reveal."),
    ),
    "missing_responses": Kind(
        WARNING,
        N_("{count} responses are missing: not every run answered every item ({found})"),
        N_("one response for every item and run"),
        N_("Add them, or go on: the runs are then compared on different items."),
    ),
    "run_name_in_text": Kind(
        WARNING,
        N_("a response may name its run: {found}"),
        N_("texts that do not tell who wrote them"),
        N_("Look at it before handing out; the text itself is never changed."),
    ),
    "language_unmatched": Kind(
        NOTE,
        N_("{count} responses are in a language that no grader reads ({found}); they go to {grader}"),
        N_("a grader for every language"),
        N_("Add a grader, or leave it so."),
    ),
    "rubric_fault": Kind(
        ERROR,
        N_("“{found}” cannot stand in the rubric"),
        N_("{allowed}"),
        N_("Correct the rubric at this place."),
    ),
    "rubric_edited": Kind(
        WARNING,
        N_("the rubric sheet was edited since version {version} ({found})"),
        N_("grades under one rubric"),
        N_("Press Re-score (or run lark-sheets rescore): until then the kept version {version} applies."),
    ),
    "stale_grades": Kind(
        ERROR,
        N_("{count} readings were given under an older rubric version: {found}"),
        N_("all grades under rubric version {version}"),
        N_("Grade them again from the work-list, or use --allow-mixed: the report then says so."),
    ),
    # -- key and reveal ---------------------------------------------------------------------------------------------
    "missing_key": Kind(
        ERROR,
        N_("the key of this campaign was not found"),
        N_("the file key/{campaign}.key.json beside the workbook"),
        N_("Give it with --key FILE."),
    ),
    "already_revealed": Kind(
        ERROR,
        N_("the runs are revealed; nothing can be added blind any more"),
        N_("a campaign before its reveal"),
        N_("Create a new campaign for what comes later, and compare the two."),
    ),
    "one_new_run": Kind(
        WARNING,
        N_(
            "the new responses to old tickets are all of one run: whoever grades them knows that they belong together"
        ),
        N_("two new runs or more, or re-reads mixed in"),
        N_("Add --repeat N: graders then read some responses again, and cannot tell which are new."),
    ),
    "key_does_not_fit": Kind(
        ERROR,
        N_("the key's SHA-256 is {found}"),
        N_("the one the workbook was sealed with: {commitment}"),
        N_(
            "Use the key made with this campaign. If it was edited, restore it: nothing can be revealed with another."
        ),
    ),
    "reveal_refused": Kind(
        ERROR,
        N_("{count} responses have no valid grade of their owner: {found}"),
        N_("every response graded, under the current rubric"),
        N_(
            "Grade them, or reveal with --force --reason TEXT: the report then says so in place of a verdict."
        ),
    ),
    "changed_after_reveal": Kind(
        WARNING,
        N_("a grade was changed by hand after the reveal ({found})"),
        N_("grades fixed before the names were known"),
        N_("The report marks it. Say in the log why it was changed."),
    ),
    "revealed_early": Kind(
        WARNING,
        N_("the names were revealed before all was graded: {found}"),
        N_("a reveal after the last grade"),
        N_("The report says so in place of a verdict."),
    ),
    # -- re-score ---------------------------------------------------------------------------------------------------
    "declared_unknown": Kind(
        ERROR,
        N_("“{found}” is no criterion of the rubric"),
        N_("one of {allowed}"),
        N_("Correct the criterion's id."),
    ),
    "declared_twice": Kind(
        ERROR,
        N_("the edits of {found} are declared in two ways"),
        N_("one declaration for a criterion"),
        N_("Keep one: wording only, covered by the code, or meaning changed."),
    ),
    "covered_by_nothing": Kind(
        ERROR,
        N_("the text of {found} is declared covered by a code, but no code of {found} was edited"),
        N_("an edited code of the same criterion"),
        N_("Edit the code too, or declare the text otherwise."),
    ),
    "declared_nothing": Kind(
        WARNING,
        N_("{found} is declared, but no text of it was edited"),
        N_("a declaration for an edited text"),
        N_("Nothing to do; the declaration has no effect."),
    ),
    "change_unsigned": Kind(
        ERROR,
        N_("the revision has no {found}"),
        N_("an author and a reason"),
        N_("Fill in a line of the table of changes, or give --author NAME --reason TEXT."),
    ),
    "change_kind_unknown": Kind(
        ERROR,
        N_("“{found}” is no kind of edit"),
        N_("one of {allowed}"),
        N_("Choose it from the list."),
    ),
    "oversight_with_edits": Kind(
        ERROR,
        N_("the rubric was edited too ({found})"),
        N_("either a correction of what readers overlooked or a revision"),
        N_("Re-score the edits first, or take them back; then correct the oversight."),
    ),
    "oversight_unknown_code": Kind(
        ERROR,
        N_("“{found}” is no issue code of the rubric"),
        N_("one of {allowed}"),
        N_("Name the code that was overlooked."),
    ),
    "nothing_to_undo": Kind(
        ERROR,
        N_("there is no revision to undo"),
        N_("a revision that re-score applied, not yet undone"),
        N_("Nothing was changed."),
    ),
    "undo_refused": Kind(
        ERROR,
        N_("{count} grades that version {version} touched were changed since: {found}"),
        N_("the grades as re-score left them"),
        N_(
            "Nothing was changed: take back what was typed since, or edit the rubric and press Re-score again."
        ),
    ),
    "undo_other_workbook": Kind(
        ERROR,
        N_("version {version} was applied in a new workbook"),
        N_("a revision applied in this workbook"),
        N_("The workbook before it is still there, untouched: go on with that one."),
    ),
    "undo_without_version": Kind(
        ERROR,
        N_("version {version} of the rubric is no longer kept in the workbook"),
        N_("every version, in the log sheet"),
        N_("Restore the backup that lies beside the workbook."),
    ),
    "undo_rubric_edited": Kind(
        ERROR,
        N_("the rubric sheet was edited since version {version}"),
        N_("the sheet as version {version} left it"),
        N_("Take the new edits back first, or apply them: undo would lose them."),
    ),
    "rescore_refused": Kind(
        ERROR,
        N_("{count} cells cannot be read as grades or codes; nothing is re-scored around them"),
        N_("readable cells"),
        N_("Correct the cells named above, then press Re-score again."),
    ),
    "rescore_grader_book": Kind(
        ERROR,
        N_("this is a grader's workbook"),
        N_("the campaign's workbook"),
        N_("Re-score the campaign; each grader then gets a workbook of what to read again."),
    ),
    "not_gathered": Kind(
        NOTE,
        N_("{count} readings are not graded yet ({found}): they will be graded under the new version"),
        N_("all finished workbooks gathered before a revision"),
        N_("Gather what graders have finished first; a workbook of the former version is no longer taken."),
    ),
    "sharpened_without_edit": Kind(
        WARNING,
        N_("a discussion ended with a sharper anchor of {found}, but its text was not edited"),
        N_("the sharper text on the rubric sheet"),
        N_("Edit the anchor, then press Re-score: every response it touches is graded again."),
    ),
    "discussion_unclear": Kind(
        ERROR,
        N_("“{found}” cannot end this discussion"),
        N_("{allowed}"),
        N_("Choose how it ended; with “anchor kept” type the agreed grade, one of the criterion's levels."),
    ),
    # -- machine ----------------------------------------------------------------------------------------------------
    "missing_library": Kind(
        ERROR,
        N_("the PDF cannot be made here: {found}"),
        N_("the Pango libraries that WeasyPrint needs"),
        N_("{how} The HTML report was written in its place."),
    ),
    "wrong_usage": Kind(
        ERROR, N_("{found}"), N_("{allowed}"), N_("lark-sheets {command} --help tells more.")
    ),
}
CATALOGUE |= {code: Kind(*words) for code, words in JUDGE_PROBLEMS.items()}
CATALOGUE |= {code: Kind(*words) for code, words in SYSTEMS_PROBLEMS.items()}
CATALOGUE |= {code: Kind(*words) for code, words in ADDIN_PROBLEMS.items()}


def problem(code: str, **place_and_parameters: object) -> Problem:
    """Make a problem of the catalogue: place by ``file sheet cell item found severity``, the rest are parameters.

    ``KeyError`` when the catalogue has no such code, so that no message can exist without its sentences.
    """
    values = dict(place_and_parameters)
    severity = values.pop("severity", CATALOGUE[code].severity)
    place = {name: values.pop(name) for name in ("file", "sheet", "cell", "item") if name in values}
    found = str(values.pop("found", ""))
    parameters = {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
    return Problem(
        code=code,
        severity=Severity(str(severity)),
        file=None if place.get("file") is None else str(place["file"]),
        sheet=str(place.get("sheet", "")),
        cell=None if place.get("cell") is None else str(place["cell"]),
        item=None if place.get("item") is None else str(place["item"]),
        found=found,
        parameters=parameters,
    )


class Sentences(NamedTuple):
    """A problem in words of one language."""

    what: str
    expected: str
    remedy: str


def sentences(problem: Problem, translate: Translator) -> Sentences:
    """Return a problem's sentences in the reader's language, its parameters filled in."""
    kind = CATALOGUE[problem.code]
    values = {"found": problem.found, **problem.parameters}
    return Sentences(
        *(translate.single(text).format(**values) for text in (kind.what, kind.expected, kind.remedy))
    )


def place(problem: Problem, translate: Translator) -> str:
    """Return where a problem stands, as people say it: file, sheet, cell, ticket."""
    parts = [problem.file or ""]
    if problem.sheet:
        parts.append(translate("sheet {sheet}", sheet=problem.sheet))
    if problem.cell:
        row = problem.cell.isdecimal()
        parts.append(
            translate("row {row}", row=problem.cell) if row else translate("cell {cell}", cell=problem.cell)
        )
    if problem.item:
        parts.append(problem.item)
    return ", ".join(part for part in parts if part)


def told(problem: Problem, translate: Translator) -> str:
    """Return the whole problem in two sentences: place and fact, then what to do."""
    words = sentences(problem, translate)
    where = place(problem, translate)
    fact = f"{where}{NBSP_COLON[translate.language]} {words.what}" if where else words.what
    return (
        f"{fact} ({translate('expected')}{NBSP_COLON[translate.language]} {words.expected}). {words.remedy}"
    )


NBSP_COLON = {"fr": "\u00a0:", "en": ":"}
