"""Charts: valid files without a display, the same bytes for the same data, nothing cut off."""

import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from matplotlib.text import Text

from rumsim.charts.style import save
from rumsim.charts.threshold import points_by_threshold

FRAME = pd.DataFrame(
    [(players, focal, focal / 10 - players, 0.5) for players in (2, 3, 4, 5) for focal in range(0, 61, 10)],
    columns=["players", "focal", "ev", "ev_se"],
)


def chart():
    return points_by_threshold(FRAME, "opponents who knock at 10", "Rules: ledger. 200 blocks, seed 1. " * 4)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_data_makes_the_same_bytes(tmp_path, suffix):
    one, two = (save(chart(), tmp_path / name / f"chart.{suffix}").read_bytes() for name in "ab")
    assert one == two
    if suffix == "svg":
        ET.fromstring(one)
    else:
        assert one.startswith(b"\x89PNG")


def shown_texts(figure):
    """Every text that is drawn: matplotlib also keeps tick labels outside the limits, which are not."""
    hidden = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                    hidden |= {tick.label1, tick.label2}
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text


def test_no_text_is_cut_off_or_covered():
    figure = chart()
    figure.draw_without_rendering()
    page = figure.bbox
    boxes = {text: text.get_window_extent() for text in shown_texts(figure)}
    assert len(boxes) > 15
    for text, box in boxes.items():
        assert page.x0 <= box.x0 and box.x1 <= page.x1, text.get_text()
        assert page.y0 <= box.y0 and box.y1 <= page.y1, text.get_text()
        covered = [other.get_text() for other, at in boxes.items() if other is not text and box.overlaps(at)]
        assert not covered, (text.get_text(), covered)


def test_a_user_style_changes_nothing(tmp_path, monkeypatch):
    import matplotlib as mpl

    plain = save(chart(), tmp_path / "plain.png").read_bytes()
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "black"}):
        assert save(chart(), tmp_path / "other.png").read_bytes() == plain
