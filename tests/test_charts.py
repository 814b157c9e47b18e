"""Charts: valid files without a display, the same bytes for the same data, nothing cut off or covered."""

import pkgutil
import xml.etree.ElementTree as ET
from functools import cache

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import rumsim.charts
from rumsim.charts.best import best_thresholds
from rumsim.charts.deadwood import dealt_deadwood
from rumsim.charts.dial import equilibrium_dial, response_dial
from rumsim.charts.endgame import gains_by_format
from rumsim.charts.ends import ends_by_threshold
from rumsim.charts.grid import grid
from rumsim.charts.knocks import knock_distribution
from rumsim.charts.odds import chance_lowest
from rumsim.charts.seats import points_by_seat
from rumsim.charts.sessions import deals_of_sessions, wins_by_place
from rumsim.charts.skill import deals_needed
from rumsim.charts.slices import slices
from rumsim.charts.style import DPI, save
from rumsim.charts.threshold import points_by_threshold, win_by_threshold
from rumsim.charts.variants import threshold_by_variant
from rumsim.errors import RequestError

OPPONENTS = "opponents who knock at 10"
CAPTION = "Rules: ledger. Opponents knock at 10; all draw improve:1, discard greedy. 200 blocks, seed 1."
LONG = "A bot of my own, knock=40/35/30+38/33/28+37/32/27+36/31/26+35/30/25,draw=improve:1, and more. " * 8
LONG_BOT = "knock=40/35/30/25/20+38/33/30/25/20+41/20/never+10/11/12/13/14+9/8/7/6,draw=improve:1,discard=greedy"


def curves(players=(2, 3, 4, 5), thresholds=range(0, 61, 10), scale=1.0):
    """A row a point with all columns that a sweep has."""
    rows = [
        {
            "players": n,
            "focal": t,
            "table": 10,
            "ev": scale * (t - 10) * (70 - t) / 80 / n,
            "ev_se": scale * 0.3,
            "win": 1 / n + (t - 10) * (70 - t) / 8000,
            "win_se": 0.01,
            "blocks": 200,
            "undercut": t / 100,
            "tied": 0.03,
            "rum": 0.001,
            "exhausted": 0.4 / (1 + t),
            "stalled": 0.0,
        }
        for n in players
        for t in thresholds
    ]
    return pd.DataFrame(rows)


def banded(frame):
    found = frame.copy()
    for value in ("ev", "win"):
        found[f"{value}_band_low"] = found[value] - 3 * found[f"{value}_se"]
        found[f"{value}_band_high"] = found[value] + 3 * found[f"{value}_se"]
    return found


def one_block(frame):
    """One block has no errors; None, as in ``--json``."""
    return frame.assign(blocks=1, **{name: None for name in frame if name.endswith("_se")})


def seats(players=(2, 3, 4, 5), bots=("knock=10", "knock=25"), scale=1.0):
    rows = [(n, bot, s, scale * (n / 2 - s - 0.5), scale * 0.4) for n in players for bot in bots for s in range(n)]
    return pd.DataFrame(rows, columns=["players", "bot", "seat", "ev", "ev_se"])


def places(players=(2, 3, 4, 5), formats=("match", "pool")):
    rows = [(n, form, p, 1 / n + 0.02 * (n / 2 - p - 0.5), 0.01) for n in players for form in formats for p in range(n)]
    return pd.DataFrame(rows, columns=["players", "format", "place", "win", "win_se"])


def gains(bots=("all knock at 10", "at the equilibrium"), scale=1.0):
    rows = [(f, bot, n, scale / n, scale / 50) for f in ("rotation", "pool") for bot in bots for n in (2, 3, 4, 5)]
    return pd.DataFrame(rows, columns=["format", "bot", "players", "gain", "gain_se"])


def needs(formats=("single deals", "rotation", "match to 200"), scale=1.0):
    rows = [(form, n, scale * 300 * n * (at + 1)) for at, form in enumerate(formats) for n in (2, 3, 4, 5)]
    return pd.DataFrame(rows, columns=["format", "players", "deals_by_wins"])


VARIANTS = ("none", "rum-knock", "no-knock", "joker-knock", "ace-high", "seven", "joker-knock, ace-high")


def by_variant(players=(2, 3, 4, 5)):
    best = {"best_10": 30, "low_10": 28, "high_10": 33, "best_25": 38, "low_25": 37, "high_25": 38, "equilibrium": 44}
    return pd.DataFrame([{"variant": name, "players": n} | best for name in VARIANTS for n in players])


def lengths(players=(2, 3, 4, 5), most=300):
    rows = [(n, deals, max(1, 1000 - abs(1000 - 40 * n * deals))) for n in players for deals in range(3, most)]
    return pd.DataFrame(rows, columns=["players", "deals", "sessions"])


def knocks(bots=("knock=10", "knock=25"), most=1000):
    rows = [
        (bot, what, value, most // (value + 1))
        for bot in bots
        for what, values in (("turn", range(1, 40)), ("deadwood", range(26)))
        for value in values
    ]
    return pd.DataFrame(rows, columns=["bot", "what", "value", "knocks"])


def dealt():
    share = np.r_[np.arange(40), np.arange(40)[::-1]] / 1560
    frame = pd.DataFrame({"deadwood": np.arange(80), "share": share, "at_most": share.cumsum()})
    return pd.concat([frame.assign(size=size) for size in (7, 10)])


def squares(thresholds=range(0, 61, 20), **more):
    """A row a pair of thresholds; equal ones earn nothing."""
    frame = curves(thresholds=thresholds, **more)
    pairs = pd.concat([frame.assign(table=table) for table in thresholds], ignore_index=True)
    return pairs.assign(ev=pairs["ev"] * (pairs["focal"] - pairs["table"]).abs() / 10)


def answers(players=(2, 3, 4, 5), tables=range(0, 61, 20), best=38):
    """A row for each threshold of the opponents, with all columns that a map has."""
    rows = [
        {
            "players": n,
            "table": table,
            "best": min(best - n + table // 4, 60),
            "low": min(best - 2 * n + table // 4, 58),
            "high": min(best + n + table // 4, 60),
            "ev": 2.0,
            "ev_se": 0.1,
            "band_low": 20,
            "band_high": 60,
        }
        for n in players
        for table in tables
    ]
    return pd.DataFrame(rows)


NO_ANSWER = answers().assign(best=None, low=None, high=None)
FINE = squares(range(81))  # as many squares as a map has
FINE_ANSWERS = answers(tables=range(81))


# For every file of charts: what it draws, once as usual and then as awkwardly as it may come.
POINTS = {
    "few": (curves(), OPPONENTS, CAPTION),
    "many": (curves(thresholds=range(61)), OPPONENTS, CAPTION),
    "bands": (banded(curves(thresholds=range(0, 61, 2))), OPPONENTS, CAPTION),
    "long": (curves(), f"opponents with {LONG_BOT}", LONG),
    "five players": (curves([5]), OPPONENTS, CAPTION),
    "one point": (curves([3], [10]), OPPONENTS, CAPTION),
    "huge": (curves(scale=1e12), OPPONENTS, CAPTION),
    "tiny": (curves(scale=1e-7), OPPONENTS, CAPTION),
    "one block": (one_block(curves()), OPPONENTS, CAPTION),
    "no block": (one_block(curves()).assign(ev=None, win=None), OPPONENTS, CAPTION),
    "one line of one block": (pd.concat([curves([2]), one_block(curves([3]))]), OPPONENTS, CAPTION),
    "dollars": (curves(), "opponents of $5$ and $", "100 % of $x^2$ _and_ \\frac"),
}


def chances(turns: int = 4) -> pd.DataFrame:
    """Chances that fall with the count, the faster the later the turn."""
    counts = np.arange(81)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "own_turn": turn,
                    "count": counts,
                    "below": np.exp(-counts * turn / 40),
                    "below_se": 0.01,
                    "tied": 0.02,
                    "tied_se": 0.001,
                    "blocks": 100,
                }
            )
            for turn in range(1, turns + 1)
        ],
        ignore_index=True,
    )


def dials() -> pd.DataFrame:
    """Four player counts, four values, two seats."""
    return pd.DataFrame(
        [
            {
                "players": players,
                "field": "undercut",
                "value": value,
                "seat": seat,
                "threshold": 80 - value - players,
                "mixture": f"{80 - value}-{80 - value}:1" if value < 60 else "0-0:0.44 27-33:0.56",
                "turns": 1 + value / 20,
                "undercuts": 0.5 - value / 200,
                "ev": 10.0 - seat * 20 + players,
                "ev_se": 0.1 * players,
                "is_equilibrium": value < 30,
                "blocks": 100,
            }
            for players in (2, 3, 4, 5)
            for value in (0, 10, 30, 60)
            for seat in (0, 1)
        ]
    )


# Whole pages have tests of their own.
ELSEWHERE = ("knock_sheet", "claims")

CHARTS = {
    "threshold": {
        **{f"points, {case}": (points_by_threshold, *given) for case, given in POINTS.items()},
        **{f"wins, {case}": (win_by_threshold, *POINTS[case]) for case in ("few", "bands", "five players", "no block")},
    },
    "ends": {
        "as usual": (ends_by_threshold, curves(), OPPONENTS, CAPTION),
        "many": (ends_by_threshold, curves(thresholds=range(61)), OPPONENTS, CAPTION),
        "three counts": (ends_by_threshold, curves([2, 3, 4]), OPPONENTS, CAPTION),
        "five players": (ends_by_threshold, curves([5]), OPPONENTS, CAPTION),
        "one point": (ends_by_threshold, curves([3], [10]), OPPONENTS, CAPTION),
        "long": (ends_by_threshold, curves(), f"opponents with {LONG_BOT}", LONG),
        "without rum": (ends_by_threshold, curves().drop(columns=["rum", "table"]), OPPONENTS, CAPTION),
        "nothing ever": (
            ends_by_threshold,
            curves().assign(undercut=0, tied=0, rum=0, exhausted=0),
            OPPONENTS,
            CAPTION,
        ),
    },
    "seats": {
        "as usual": (points_by_seat, seats(), CAPTION),
        "no bots": (points_by_seat, seats(bots=[""]).drop(columns="bot"), CAPTION),
        "long": (points_by_seat, seats(bots=[LONG_BOT, f"{LONG_BOT},x", "knock=10"]), LONG),
        "six bots": (points_by_seat, seats(bots=[f"knock={t}" for t in range(6)]), CAPTION),
        "huge": (points_by_seat, seats(scale=1e12), CAPTION),
        "one block": (points_by_seat, one_block(seats()), CAPTION),
        "no block": (points_by_seat, one_block(seats()).assign(ev=None), CAPTION),
    },
    "sessions": {
        "as usual": (wins_by_place, places(), CAPTION),
        "one format": (wins_by_place, places([4], ["rotation"]).drop(columns="format"), LONG),
        "one block": (wins_by_place, one_block(places()), CAPTION),
        "no block": (wins_by_place, one_block(places([3])).assign(win=None), CAPTION),
        "deals": (deals_of_sessions, lengths(), CAPTION),
        "one number": (deals_of_sessions, lengths([3], 4), CAPTION),
        "long": (deals_of_sessions, lengths([2, 5], 5000), LONG),
    },
    "skill": {
        "as usual": (deals_needed, needs(), CAPTION),
        "long": (deals_needed, needs(scale=300.0), LONG),
    },
    "variants": {
        "as usual": (threshold_by_variant, by_variant(), CAPTION),
        "long": (threshold_by_variant, by_variant(players=[3]), LONG),
        "no equilibrium": (threshold_by_variant, by_variant().assign(equilibrium=None), CAPTION),
    },
    "endgame": {
        "as usual": (gains_by_format, gains(), CAPTION),
        "long": (gains_by_format, gains([LONG_BOT, "knock=10"]), LONG),
        "one format": (gains_by_format, gains(scale=0.01).query("format == 'pool'"), CAPTION),
        "one block": (gains_by_format, one_block(gains()), CAPTION),
    },
    "knocks": {
        "as usual": (knock_distribution, knocks(), CAPTION),
        "long": (knock_distribution, knocks([LONG_BOT, f"{LONG_BOT},x"]), LONG),
        "one bar": (knock_distribution, knocks(["a"]).head(1), CAPTION),
        "huge": (knock_distribution, knocks(most=10**15), CAPTION),
        "never knocks": (knock_distribution, pd.concat([knocks(["a"]), knocks(["b"], most=0)]), CAPTION),
        "nobody knocks": (knock_distribution, knocks(most=0), CAPTION),
        "player counts": (knock_distribution, pd.concat([knocks(["a"]).assign(players=n) for n in (5, 2)]), CAPTION),
    },
    "deadwood": {"as usual": (dealt_deadwood, dealt(), CAPTION)},
    "odds": {
        "as usual": (chance_lowest, chances(), CAPTION),
        "many turns": (chance_lowest, chances(turns=12), LONG),
        "one turn": (chance_lowest, chances(turns=1), CAPTION),
        "one block": (chance_lowest, chances().assign(below_se=None, tied_se=None, blocks=1), CAPTION),
    },
    "dial": {
        "as usual": (equilibrium_dial, dials(), CAPTION),
        "restless": (equilibrium_dial, dials().assign(is_equilibrium=False), LONG),
        "one value": (equilibrium_dial, dials().query("value == 0"), CAPTION),
        "answers": (response_dial, dials().query("seat == 0").assign(low=20, high=60), CAPTION),
        "another field": (response_dial, dials().query("seat == 0").assign(low=1, high=2, field="hand_size"), CAPTION),
        "one block": (response_dial, one_block(dials().query("seat == 0").assign(low=20, high=60)), LONG),
    },
    "grid": {
        "as usual": (grid, squares(), "ev", CAPTION, answers()),
        "points": (grid, squares(), "ev", CAPTION),
        "wins": (grid, squares(), "win", CAPTION),
        "many": (grid, FINE, "ev", CAPTION, FINE_ANSWERS),
        "best by points": (grid, squares(), "win", CAPTION, answers()),
        "five players": (grid, squares(players=[5]), "ev", CAPTION, answers()),
        "long": (grid, squares(players=[2, 3]), "ev", LONG, answers()),
        "uneven": (grid, squares([*range(12), 20, 60]), "ev", CAPTION, answers()),
        "no block": (grid, squares().assign(ev=None), "ev", CAPTION, NO_ANSWER),
    },
    "best": {
        "as usual": (best_thresholds, answers(), CAPTION),
        "many": (best_thresholds, FINE_ANSWERS, CAPTION),
        "five players": (best_thresholds, answers([5]), CAPTION),
        "one point": (best_thresholds, answers([3], [10]), CAPTION),
        "long": (best_thresholds, answers(), LONG),
        "no answer": (best_thresholds, NO_ANSWER, CAPTION),
        "some answers": (best_thresholds, pd.concat([answers([2, 3]), NO_ANSWER.tail(4)]), CAPTION),
    },
    "slices": {
        "as usual": (slices, squares(), "ev", [0, 20, 40, 60], CAPTION, answers()),
        "wins": (slices, squares(), "win", [0, 20, 40, 60], CAPTION, answers()),
        "many": (slices, FINE, "ev", [8, 10, 15, 25], CAPTION, FINE_ANSWERS),
        "three": (slices, squares(), "ev", [60, 0, 20], CAPTION),
        "two": (slices, squares(), "win", [20, 40], CAPTION),
        "one": (slices, squares(players=[5]), "ev", [20], CAPTION, answers()),
        "one point": (slices, squares([10], players=[3]), "ev", [10], CAPTION),
        "long": (slices, squares(), "ev", [0, 20], LONG, answers()),
        "huge": (slices, squares(scale=1e12), "ev", [0, 20, 40, 60], CAPTION, answers()),
        "one block": (slices, one_block(squares()), "ev", [20, 40], CAPTION, answers()),
        "no block": (slices, one_block(squares()).assign(ev=None), "ev", [20, 40], CAPTION, NO_ANSWER),
    },
}
OLDER = ("deadwood", "grid")  # they set their captions themselves
EVERY = {f"{module}: {case}": given for module, cases in CHARTS.items() for case, given in cases.items()}


@cache
def chart(name):
    """One drawing for all tests that only look at it."""
    return drawn(name)


def drawn(name):
    draw, *given = EVERY[name]
    return draw(*given)


def test_every_chart_is_tried_here():
    files = {found.name for found in pkgutil.iter_modules(rumsim.charts.__path__) if found.name[0] != "_"}
    assert set(CHARTS) == files - {"style", *ELSEWHERE}


@pytest.mark.parametrize("module", CHARTS)
def test_the_same_data_makes_the_same_bytes(tmp_path, module):
    name = f"{module}: {next(iter(CHARTS[module]))}"
    for place in "ab":
        figure = drawn(name)
        for suffix in ("svg", "png"):
            save(figure, tmp_path / place / f"chart.{suffix}")
    for suffix in ("svg", "png"):
        one, two = ((tmp_path / place / f"chart.{suffix}").read_bytes() for place in "ab")
        assert one == two
    assert one.startswith(b"\x89PNG")
    ET.fromstring((tmp_path / "a" / "chart.svg").read_bytes())


def shown_texts(figure):
    """Every text that is drawn: matplotlib also keeps tick labels outside the limits, which are not."""
    hidden = set()
    for axes in figure.findobj(lambda artist: hasattr(artist, "get_xaxis")):
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not axes.get_visible() or not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                    hidden |= {tick.label1, tick.label2}
        if not axes.get_visible():
            hidden |= set(axes.findobj(Text))
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text


@pytest.mark.parametrize("name", EVERY)
def test_no_text_is_cut_off_or_covered(name):
    figure = chart(name)
    for dpi in (100, 600) if "long" in name else (DPI,):  # on a screen, about as in SVG, as in PNG
        figure.set_dpi(dpi)
        figure.draw_without_rendering()
        page = figure.bbox
        boxes = {text: text.get_window_extent() for text in shown_texts(figure)}
        assert len(boxes) > 5
        for text, box in boxes.items():
            assert page.x0 <= box.x0 and box.x1 <= page.x1, text.get_text()
            assert page.y0 <= box.y0 and box.y1 <= page.y1, text.get_text()
            covered = [other.get_text() for other, at in boxes.items() if other is not text and box.overlaps(at)]
            assert not covered, (text.get_text(), covered)
    if name.split(":")[0] not in OLDER:
        has_room(figure, 0.75 if name.startswith("knocks") else 1.2)


def has_room(figure, least):
    """A long caption makes the page higher, not the axes smaller; nothing that is written lies on them."""
    for axes in figure.axes:
        box = axes.get_window_extent()
        assert box.height / figure.dpi > least
        assert box.width / figure.dpi > 0.5
        for text in (*figure.texts, *figure.legends):
            assert not box.overlaps(text.get_window_extent())


def test_a_user_style_changes_nothing(tmp_path):
    import matplotlib as mpl

    plain = save(drawn("seats: as usual"), tmp_path / "plain.png").read_bytes()
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "black"}):
        assert save(drawn("seats: as usual"), tmp_path / "other.png").read_bytes() == plain


def caption_of(figure):
    return " ".join(figure.texts[-1].get_text().split())


def test_captions_say_how_to_read_the_chart():
    assert "opponents' own threshold, 10; there all bots are the same and each earns exactly 0" in caption_of(
        chart("threshold: points, few")
    )
    assert "Bars: 95 %" in caption_of(chart("threshold: points, few"))
    assert "Bands: 95 %" in caption_of(chart("threshold: points, many"))
    assert "all thresholds of a curve together" in caption_of(chart("threshold: points, bands"))
    assert "1/N of the deals" in caption_of(chart("threshold: wins, few"))
    assert "No intervals: too few blocks" in caption_of(chart("threshold: points, one block"))
    assert "No intervals: too few blocks" in caption_of(chart("slices: one block"))
    assert "Bands: 95 %" in caption_of(chart("slices: many"))
    assert "Rings: the threshold that earns the most" in caption_of(chart("slices: wins"))
    assert "Rings" not in caption_of(chart("slices: three"))
    assert "the best answer to a threshold is itself" in caption_of(chart("best: as usual"))
    assert "thresholds within 0.02 points a deal of the best" in caption_of(chart("grid: as usual"))
    assert caption_of(chart("grid: points")) == CAPTION
    for module, cases in CHARTS.items():
        if module not in OLDER:
            assert CAPTION in caption_of(chart(f"{module}: {next(iter(cases))}"))


def test_fair_shares_stand_beside_the_win_shares():
    (fair,) = chart("threshold: wins, few").axes[0].child_axes
    assert [
        (tick, label.get_text()) for tick, label in zip(fair.get_yticks(), fair.get_yticklabels(), strict=True)
    ] == [(1 / n, f"1/{n}") for n in (2, 3, 4, 5)]


def test_intervals_are_students():
    # 20 blocks: t(19; 0.975) = 2.093.
    figure = points_by_threshold(curves([2], [10]).assign(blocks=20, ev_se=1.0), OPPONENTS, CAPTION)
    (bars,) = figure.axes[0].collections
    assert bars.get_segments()[0][:, 1] == pytest.approx([-2.093, 2.093], abs=1e-3)
    few = points_by_threshold(curves([2], [10]).assign(blocks=19, ev_se=1.0), OPPONENTS, CAPTION)
    assert np.isnan([bar.get_segments() for bar in few.axes[0].collections]).all()
    assert "No intervals: too few blocks." in caption_of(few)


def test_the_ridge_lies_on_the_squares_of_the_best_answers():
    # Thresholds 0, 10, 40: the third square is 40, and 25 is halfway between the second and the third.
    best = pd.DataFrame({"players": 2, "table": [0, 10, 40], "best": [25, 40, None], "low": 10, "high": [40, 40, 50]})
    panel = grid(squares([0, 10, 40], players=[2]), "ev", CAPTION, best).axes[0]
    diagonal, low, high, ridge = (line.get_xydata() for line in panel.get_lines())
    assert diagonal.tolist() == [[0, 0], [1, 1], [2, 2]]
    np.testing.assert_array_equal(low, [[0, 1], [1, 1], [2, 1]])
    np.testing.assert_array_equal(high, [[0, 2], [1, 2], [2, np.nan]])  # 50 is not on the map
    np.testing.assert_array_equal(ridge, [[0, 1.5], [1, 2], [2, np.nan]])
    assert panel.axis() == (-0.5, 2.5, -0.5, 2.5)


def test_a_map_of_thresholds_has_round_numbers_at_its_axes():
    for axis in (chart("grid: many").axes[0].xaxis, chart("grid: many").axes[0].yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()] == [str(t) for t in range(0, 81, 10)]
        assert axis.get_ticklocs().tolist() == list(range(0, 81, 10))


def test_a_few_huge_losses_do_not_bleach_the_ridge():
    frame = FINE.assign(ev=FINE["ev"].clip(-5, 5))
    whole = grid(frame, "ev", CAPTION)
    assert whole.axes[0].get_images()[0].get_clim() == (-5, 5)
    assert caption_of(whole) == CAPTION
    lost = frame.assign(ev=frame["ev"].mask((frame["focal"] == 80) & (frame["table"] < 8), -60))
    figure = grid(lost, "ev", CAPTION)
    assert figure.axes[0].get_images()[0].get_clim() == (-5, 5)
    assert "Losses of more than 5 points, up to 60, share the last colour." in caption_of(figure)


def test_rings_lie_on_the_lines():
    best = pd.DataFrame({"players": [2, 3], "table": 20, "best": [30, None], "low": 20, "high": 40})
    frame = squares(players=[2, 3])
    panel = slices(frame, "ev", [20], CAPTION, best).axes[0]
    rings = [line.get_xydata().tolist() for line in panel.get_lines() if line.get_markersize() == 9]
    near = frame[(frame["players"] == 2) & (frame["table"] == 20) & frame["focal"].isin([20, 40])]
    assert rings[0] == [[30, near["ev"].mean()]]
    assert np.isnan(rings[1]).all()


def test_a_player_count_looks_the_same_in_every_chart():
    lines = [points_by_threshold(curves(n), OPPONENTS, CAPTION).legends[0].get_lines()[-1] for n in ((2, 3, 4, 5), [5])]
    lines += [chart(name).legends[0].get_lines()[0] for name in ("best: five players", "slices: one")]
    assert len({(line.get_color(), line.get_marker(), str(line.get_linestyle())) for line in lines}) == 1


@pytest.mark.parametrize("missing", ["players", "focal", "ev", "ev_se"])
def test_a_missing_column_is_named(missing):
    with pytest.raises(ValueError, match=f"no column {missing}; allowed: columns players, focal, ev, ev_se"):
        points_by_threshold(curves().drop(columns=missing), OPPONENTS, CAPTION)


@pytest.mark.parametrize(
    ("draw", "frame", "said"),
    [
        (win_by_threshold, curves().drop(columns=["win", "win_se"]), "no column win, win_se"),
        (ends_by_threshold, curves().drop(columns="tied"), "no column tied"),
        (points_by_threshold, curves().head(0), "no rows"),
        (points_by_threshold, curves().assign(ev="many"), "a column ev that holds 'many'"),
        (points_by_threshold, pd.concat([curves(), curves().assign(table=25)]), "players 2, focal 0 twice"),
        (points_by_threshold, pd.concat([curves([2]), curves([3]).assign(table=25)]), "table 10, 25"),
        (points_by_threshold, curves().assign(focal=None), "a row without focal"),
    ],
)
def test_a_frame_that_cannot_be_drawn_is_refused(draw, frame, said):
    with pytest.raises(ValueError, match=said):
        draw(frame, OPPONENTS, CAPTION)


def test_frames_of_other_charts_are_refused_too():
    with pytest.raises(ValueError, match="no column seat"):
        points_by_seat(curves(), CAPTION)
    with pytest.raises(ValueError, match="no column what, value"):
        knock_distribution(knocks()[["bot", "knocks"]], CAPTION)
    with pytest.raises(ValueError, match="got what 'cards'; allowed: turn, deadwood"):
        knock_distribution(knocks().assign(what="cards").drop_duplicates(["bot", "value"]), CAPTION)
    with pytest.raises(RequestError, match="^frame: got no column table"):
        grid(squares().drop(columns="table"), "ev", CAPTION)
    with pytest.raises(RequestError, match="value: got 'turns'; allowed: ev or win"):
        grid(squares(), "turns", CAPTION)
    with pytest.raises(RequestError, match="value: got 'turns'; allowed: ev or win"):
        slices(squares(), "turns", [20], CAPTION)
    with pytest.raises(RequestError, match="tables: got 8, 10; allowed: 0, 20, 40, 60"):
        slices(squares(), "ev", [8, 10, 20], CAPTION)
    for tables in ([], [20, 20], range(5)):
        with pytest.raises(RequestError, match="allowed: 1 to 4 of the opponents' thresholds, each once"):
            slices(squares(), "ev", tables, CAPTION)


def test_best_answers_that_cannot_be_drawn_are_refused():
    for draw in (
        lambda best: best_thresholds(best, CAPTION),
        lambda best: grid(squares(), "ev", CAPTION, best),
        lambda best: slices(squares(), "ev", [20], CAPTION, best),
    ):
        with pytest.raises(RequestError, match="^best: got no column low, high; allowed: columns players, table, best"):
            draw(answers().drop(columns=["low", "high"]))
        with pytest.raises(RequestError, match="^best: got players 2, table 0 twice"):
            draw(pd.concat([answers(), answers()]))


def test_drawing_leaves_the_frame_alone():
    for name in ("threshold: points, few", "seats: as usual", "knocks: as usual", "ends: as usual", "sessions: deals"):
        before = EVERY[name][1].copy()
        drawn(name)
        pd.testing.assert_frame_equal(EVERY[name][1], before)
    for name in ("grid: as usual", "best: as usual", "slices: as usual"):
        frames = [given for given in EVERY[name] if isinstance(given, pd.DataFrame)]
        copies = [frame.copy() for frame in frames]
        drawn(name)
        for frame, before in zip(frames, copies, strict=True):
            pd.testing.assert_frame_equal(frame, before)


def test_bars_of_sessions_hold_all_but_the_longest():
    figure = deals_of_sessions(pd.DataFrame({"players": 2, "deals": [1, 2, 900], "sessions": [300, 699, 1]}), CAPTION)
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert heights == pytest.approx([0.3, 0.699])
