"""The pages' advice, tested: p-values for a family, the rule of the verdicts, and the committed results."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import rumsim
from experiments import _claims, advice
from rumsim.charts.claims import claims_forest
from rumsim.stats.holm import holm, two_sided
from tests.test_charts import shown_texts


def test_holm_adjusts_as_in_the_paper() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0] and holm([]) == []
    with pytest.raises(ValueError):
        holm([1.2])


def test_a_family_of_true_hypotheses_is_seldom_rejected() -> None:
    rng = random.Random(2)
    rejected = sum(min(holm([rng.random() for _ in range(20)])) < 0.05 for _ in range(2000))
    assert rejected <= 100 + 4 * (2000 * 0.05 * 0.95) ** 0.5
    assert two_sided(1.959964, 1.0) == pytest.approx(0.05, abs=1e-6) and two_sided(3.0, 1.0, 3.0) == 1.0


@pytest.mark.parametrize(
    ("low", "high", "sign", "p", "found"),
    [
        (0.3, 0.5, 1, 0.001, "holds"),
        (0.3, 0.5, 1, 0.2, "undecided"),
        (0.1, 0.5, 1, 0.001, "undecided"),
        (-0.1, 0.2, 1, 0.5, "fails"),
        (-0.5, -0.3, -1, 0.001, "holds"),
        (0.3, 0.5, -1, 0.001, "fails"),
    ],
)
def test_the_verdict_of_a_case_follows_the_rule(low: float, high: float, sign: int, p: float, found: str) -> None:
    row = {"low": low, "high": high, "sign": sign, "reference": 0.0, "least": 0.25, "p_holm": p}
    assert advice.verdict(row) == found


def test_the_verdict_of_a_claim_follows_from_its_cases() -> None:
    assert advice.together({"holds"}) == "holds" and advice.together({"fails"}) == "fails"
    assert advice.together({"holds", "fails", "undecided"}) == "depends"
    assert advice.together({"holds", "undecided"}) == "open" == advice.together({"", "undecided"})


def test_every_claim_names_page_measure_and_null_and_is_in_the_results() -> None:
    results = pd.read_csv(advice.Results("advice").folder / "advice.csv")
    assert set(results["claim"]) == {claim.key for claim in _claims.CLAIMS}
    for claim in _claims.CLAIMS:
        assert claim.says and claim.sources and set(claim.sources) <= set(_claims.PAGES)
        rows = results[results["claim"] == claim.key]
        assert len(rows) == max(1, len(claim.cases))
        if claim.cases:
            assert claim.measure and claim.null and claim.least > 0
            for row in rows.to_dict("records"):
                assert row["case"] == advice.verdict(row)
            assert set(rows["verdict"]) == {advice.together(set(rows["case"]))}
        else:
            assert claim.needs and set(rows["verdict"]) == {"open"}
    assert results["p_holm"].dropna().tolist() == pytest.approx(holm(results["p"].dropna().tolist()), rel=1e-4)


def test_a_measurement_is_what_it_says() -> None:
    case = next(
        case for claim in _claims.CLAIMS for case in claim.cases if case.instead and case.mine.startswith("knock")
    )
    totals = advice.totals(case.rules, case.players, case.mine, case.opponents)
    played = rumsim.simulate(
        case.players, [case.mine, case.opponents], advice.PLAYED, case.rules, seed=_claims.SEED
    ).points[0]
    assert totals.sum() / (12 * case.players * advice.PLAYED) == pytest.approx(played.mean, abs=1e-12)


def test_no_text_of_the_chart_is_cut_off_or_covered() -> None:
    results = pd.read_csv(advice.Results("advice").folder / "advice.csv")
    figure = claims_forest(results[results["estimate"].notna()], "Rules: as said. 100 blocks, seed 1.")
    figure.draw_without_rendering()
    boxes = {text: text.get_window_extent() for text in shown_texts(figure)}
    assert len(boxes) > 20
    for text, box in boxes.items():
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, text.get_text()
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, text.get_text()
        assert not [other for other, at in boxes.items() if other is not text and box.overlaps(at)], text.get_text()
