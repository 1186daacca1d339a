"""The name of one judgement: equal exactly when nothing that may change its outcome has changed."""

from __future__ import annotations

from collections.abc import Sequence

from lark_sheets.core.judging.prompting import JudgeInput, Prompt
from lark_sheets.core.text import canonical_json, sha256


def cache_key(prompt: Prompt, subject: JudgeInput, repeat: int) -> str:
    """Return the name of one judgement: 64 hexadecimal digits over everything that may change its outcome.

    Label, order of rows, human grades and the run's time are not in it; the number of the repeat is, so that three
    repeats are three calls. The same digits serve as the id of the request in a batch.
    """
    conditions = prompt.conditions
    return sha256(
        canonical_json(
            {
                "rubric": conditions.rubric,
                "prompt": conditions.prompt,
                "prompt_version": conditions.prompt_version,
                "schema": conditions.schema,
                "provider": conditions.provider,
                "model": conditions.model,
                "effort": conditions.effort,
                "max_tokens": prompt.config.max_tokens,
                "data": subject.data(),
                "repeat": repeat,
            }
        )
    )


def keys_of(prompt: Prompt, inputs: Sequence[JudgeInput]) -> dict[tuple[str, int], str]:
    """Return the key of every (response id, repeat) of a run; responses alike in every respect share theirs."""
    return {
        (subject.id, repeat): cache_key(prompt, subject, repeat)
        for subject in inputs
        for repeat in range(prompt.config.repeats)
    }
