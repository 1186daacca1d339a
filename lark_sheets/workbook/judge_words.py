"""What the Judge sheet calls each figure of the judge's part of the results: one heading a key, in both languages.

A key that stands nowhere here is an id (a criterion, a language, a reason) or was added by a service: it is shown as it is, without underscores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lark_sheets.core.bookplan import Scalar
from lark_sheets.core.language import Words
from lark_sheets.core.rubric import Rubric

BETWEEN = " › "
"""Between the headings of a figure inside a group: "Calibration › Kappa"."""
YES, NO = Words("oui", "yes"), Words("non", "no")
NOT_STATED = Words("non précisé", "not stated")
HEADINGS = {
    "ac1": Words("AC1", "AC1"),
    "ac1_interval": Words("AC1, intervalle à 95 %", "AC1, 95% interval"),
    "ac2_quadratic": Words("AC2 quadratique", "AC2, quadratic"),
    "alpha_interval": Words("Alpha d’intervalle", "Alpha, interval"),
    "alpha_nominal": Words("Alpha nominal", "Alpha, nominal"),
    "alpha_ordinal": Words("Alpha ordinal", "Alpha, ordinal"),
    "alpha_state": Words("État de l’alpha", "State of alpha"),
    "blocking": Words("Réponses bloquées", "Responses blocked"),
    "by_difficulty": Words("Par difficulté", "By difficulty"),
    "by_family": Words("Par famille de modèles", "By family of models"),
    "by_language": Words("Par langue", "By language"),
    "by_rule": Words("Par règle", "By rule"),
    "by_type": Words("Par type", "By type"),
    "calibration": Words("Étalonnage", "Calibration"),
    "calls_of_unknown_price": Words("Appels de prix inconnu", "Calls of unknown price"),
    "chance": Words("Attendu par hasard", "Expected by chance"),
    "changed": Words("Ce qui a changé depuis", "What changed since"),
    "checked": Words("Juge vérifié", "Checked judge"),
    "conclusive": Words("Concluant", "Conclusive"),
    "conditions": Words("Conditions", "Conditions"),
    "confusion": Words("Personnes (lignes) et juge (colonnes)", "People (rows) and judge (columns)"),
    "consistency": Words("Accord entre répétitions", "Agreement between repeats"),
    "criteria": Words("Par critère", "By criterion"),
    "currency": Words("Monnaie", "Currency"),
    "date": Words("Fait le", "Made on"),
    "disagreements": Words("Désaccords", "Disagreements"),
    "divergent": Words("Répétitions divergentes", "Repeats diverge"),
    "effort": Words("Effort", "Effort"),
    "equal": Words("Pareil", "Equal"),
    "failed": Words("Critères qui échouent", "Criteria failed"),
    "family": Words("Famille de modèles", "Family of models"),
    "finding": Words("Constat", "Finding"),
    "evidence": Words("Preuve", "Evidence"),
    "fleiss": Words("Kappa de Fleiss", "Fleiss' kappa"),
    "gap_1": Words("Écart d’un niveau", "One level apart"),
    "gap_2": Words("Écart de deux ou plus", "Two or more apart"),
    "gaps": Words("Écarts", "Gaps"),
    "gate": Words("Seuil", "Gate"),
    "graded": Words("Réponses notées", "Responses graded"),
    "graded_by_judge": Words("Campagne notée par le juge", "Campaign graded by the judge"),
    "group": Words("Groupe", "Group"),
    "held": Words("Réservé", "Held"),
    "human": Words("Personnes", "People"),
    "human_reason": Words("Raison d’une personne", "A person's reason"),
    "id": Words("Identifiant", "Id"),
    "impossible": Words("Impossible à noter", "Impossible to grade"),
    "interval": Words("Intervalle à 95 %", "95% interval"),
    "item": Words("Billet", "Ticket"),
    "items": Words("Réponses, une à une", "Responses, one by one"),
    "judge": Words("Le juge", "The judge"),
    "judge_reason": Words("Raison du juge", "The judge's reason"),
    "judged": Words("Jugées", "Judged"),
    "k": Words("Nombre", "Count"),
    "kappa": Words("Kappa", "Kappa"),
    "kappa_interval": Words("Kappa, intervalle à 95 %", "Kappa, 95% interval"),
    "kappa_linear": Words("Kappa linéaire", "Kappa, linear"),
    "kappa_quadratic": Words("Kappa quadratique", "Kappa, quadratic"),
    "label": Words("Lettre", "Letter"),
    "labels": Words("Réponses notées par des personnes", "Responses labelled by people"),
    "labels_needed": Words("Réponses à noter pour conclure", "Labels needed to conclude"),
    "language": Words("Langue", "Language"),
    "levels": Words("Niveaux", "Levels"),
    "max_tokens": Words("Longueur maximale (jetons)", "Maximum length (tokens)"),
    "may_be_billed": Words("Appels peut-être facturés", "Calls that may be billed"),
    "mean": Words("Moyenne", "Mean"),
    "mean_total": Words("Total moyen", "Mean total"),
    "means": Words("Moyennes", "Means"),
    "model": Words("Modèle", "Model"),
    "n": Words("Sur", "Of"),
    "old_days": Words("Âge (jours)", "Age (days)"),
    "outcome": Words("Issue", "Outcome"),
    "planned": Words("Jugements prévus", "Judgements planned"),
    "prompt": Words("Empreinte de la consigne", "Fingerprint of the prompt"),
    "prompt_version": Words("Version de la consigne", "Version of the prompt"),
    "queue": Words("À voir par une personne", "For a person to see"),
    "ranges": Words("Étendues", "Ranges"),
    "reasoning": Words("Raisonnement", "Reasoning"),
    "recorded": Words(
        "Réponses enregistrées, non reçues du service", "Recorded replies, not from the service"
    ),
    "remarks": Words("Remarques", "Remarks"),
    "repeats": Words("Répétitions", "Repeats"),
    "requests": Words("Demandes", "Requests"),
    "responses": Words("Nombre de réponses", "Number of responses"),
    "rubric": Words("Empreinte de la grille", "Fingerprint of the rubric"),
    "schema": Words("Empreinte du schéma", "Fingerprint of the schema"),
    "scored": Words("Jugements valides", "Valid judgements"),
    "scores": Words("Notes", "Grades"),
    "sensitivity": Words("Sensibilité", "Sensitivity"),
    "served": Words("Modèle servi", "Model served"),
    "set": Words("Empreinte du jeu d’étalonnage", "Fingerprint of the calibration set"),
    "settled": Words("Facturé", "Settled"),
    "signs": Words("Signes", "Signs"),
    "specificity": Words("Spécificité", "Specificity"),
    "spend": Words("Dépense", "Spending"),
    "stand": Words("Statut", "Standing"),
    "state": Words("État du kappa", "State of kappa"),
    "status": Words("Statut", "Status"),
    "steady": Words("Jugements stables", "Steady judgements"),
    "strengths": Words("Points forts", "Strengths"),
    "table": Words("Personnes (lignes) et juge (colonnes)", "People (rows) and judge (columns)"),
    "total": Words("Total", "Total"),
    "total_max": Words("Total possible", "Total possible"),
    "total_range": Words("Étendue du total", "Range of the total"),
    "unscored": Words("Non notées, par raison", "Unscored, by reason"),
    "valid": Words("Valides", "Valid"),
    "verdict": Words("Décision", "Decision"),
    "waiting": Words("En attente d’une personne", "Waiting for a person"),
    "weaknesses": Words("Points faibles", "Weaknesses"),
    "weakest": Words("Les plus faibles", "The weakest"),
    "why": Words("Pourquoi", "Why"),
}
VALUES = {
    ("gate", "blocking"): Words("bloquant", "blocking"),
    ("gate", "indicative"): Words("indicatif", "indicative"),
    ("gate", "stale"): Words("périmé", "out of date"),
    ("gate", "none"): Words("jamais vérifié", "never checked"),
    ("effort", "not sent"): Words("non envoyé", "not sent"),
}
NAMES_OF_A_ROW = ("item", "label", "group", "id")
"""Keys by which one entry of a list is called, the first two that it has."""


def heading(key: str, rubric: Rubric, language: str) -> str:
    """Return what a key is called: a criterion by its name, an id as it is."""
    for criterion in rubric.criteria:
        if criterion.id == key:
            return criterion.name.in_(language)
    words = HEADINGS.get(key)
    return words.in_(language) if words else key.replace("_", " ")


def leaves(
    tree: Mapping[str, object], rubric: Rubric, language: str, prefix: tuple[str, ...] = ()
) -> Iterator[tuple[str, Scalar]]:
    """Yield every figure of nested mappings with its headings; of a list of entries, one row an entry."""
    for key, value in tree.items():
        path = (*prefix, heading(str(key), rubric, language))
        if isinstance(value, Mapping):
            yield from leaves(value, rubric, language, path)
        elif _entries(value):
            for entry in value:  # type: ignore[attr-defined]  # _entries looked
                yield BETWEEN.join((*path, _called(entry))), _told(entry, rubric, language)
        else:
            yield BETWEEN.join(path), _value(str(key), value, rubric, language)


def _entries(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and bool(value)
        and all(isinstance(one, Mapping) for one in value)
    )


def _called(entry: Mapping[str, object]) -> str:
    return " ".join([str(entry[key]) for key in NAMES_OF_A_ROW if entry.get(key)][:2])


def _told(entry: Mapping[str, object], rubric: Rubric, language: str) -> str:
    """Return an entry as one text: "Total: 5; Reasoning: ..."; what is empty is left out, its name is in the row's heading."""
    colon = "\u00a0: " if language == "fr" else ": "
    return "; ".join(
        f"{name}{colon}{_text(value, language)}"
        for name, value in leaves(
            {k: v for k, v in entry.items() if k not in NAMES_OF_A_ROW and v not in (None, "", [], {})},
            rubric,
            language,
        )
    )


def _value(key: str, value: object, rubric: Rubric, language: str) -> Scalar:
    if value is None or value in ("", [], ()):
        return NOT_STATED.in_(language) if value is None else "–"
    if isinstance(value, bool):
        return (YES if value else NO).in_(language)
    if isinstance(value, int | float):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str):
        nested = any(
            isinstance(one, float) or (isinstance(one, Sequence) and not isinstance(one, str))
            for one in value
        )
        return ("; " if nested else ", ").join(
            _text(_value(key, one, rubric, language), language) for one in value
        )
    text = str(value)
    words = VALUES.get((key, text)) or rubric.outcomes.get(text)
    return words.in_(language) if words else text


def _text(value: Scalar, language: str) -> str:
    """Return a value inside a text: a decimal with its language's mark, four places at most."""
    if isinstance(value, float):
        shown = f"{value:.4f}".rstrip("0").rstrip(".")
        return shown.replace(".", ",") if language == "fr" else shown
    return str(value)
