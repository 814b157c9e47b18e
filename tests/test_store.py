"""The folder of a run: whole or as it was, whatever fails; one run at a time; names are names."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

import rumsim
from rumsim.runs import placing, provenance, store
from rumsim.runs.lock import FolderLock, Taken
from rumsim.tasks import RESULTS_VERSION

# ---- files ---------------------------------------------------------------------------------------------------

REQUEST = {"command": "test", "blocks": 3, "rules": {"stock": "compare"}, "bots": ("a", "b")}
FRAME = pd.DataFrame({"n": [1, 2], "x": [0.1, float("nan")], "text": ["ä,b", "c"], "yes": [True, False]})


def write(folder: Path, request: Any = REQUEST, **changes: Any) -> dict[str, Any]:
    put(folder, {"t": FRAME}, {"note.txt": "é\n"}, request, **changes)
    return manifest_of(folder)


def put(folder: Path, tables: Any, files: Any, request: Any = REQUEST, **changes: Any) -> store.Kept:
    given = {"seed": 0, "blocks": 3, "interrupted": False, "cpu_seconds": 1.5} | changes
    with store.run_folder(folder, request) as place:
        return place.write(tables, files, **given)


def check(folder: str | Path, request: Any = REQUEST) -> None:
    with store.run_folder(folder, request):
        pass


def manifest_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    return found


def shown(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "manifest.json"}


def all_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Everything in a folder, with the numbers that tell a file from another of the same bytes."""
    return {file.name: (file.stat().st_ino, file.read_bytes()) for file in folder.iterdir()}


def assert_whole(folder: Path) -> None:
    files = shown(folder)
    assert {name: hashlib.sha256(content).hexdigest() for name, content in files.items()} == manifest_of(folder)[
        "files"
    ]


@pytest.fixture(autouse=True)
def ctrl_c_works() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
    yield
    signal.signal(signal.SIGINT, before)


def test_the_manifest_says_where_numbers_come_from(tmp_path: Path) -> None:
    manifest = write(tmp_path / "new" / "run", blocks=2, interrupted=True, started=provenance.now())
    assert manifest["request"] == {**REQUEST, "bots": ["a", "b"]}
    assert manifest["results_version"] == RESULTS_VERSION
    assert manifest["block_ranges"] == [[0, 2]]
    assert manifest["interrupted"] is manifest["partial"] is True
    assert {"rumsim", "python", "numpy", "numba", "pandas", "pyarrow"} == set(manifest["versions"])
    assert {"commit", "dirty", "machine", "cpu_seconds", "started", "ended"} <= set(manifest)
    assert_whole(tmp_path / "new" / "run")
    assert set(manifest["files"]) == {"t.parquet", "note.txt"}


def test_tables_have_plain_types_and_nulls(tmp_path: Path) -> None:
    write(tmp_path)
    table = pq.read_table(tmp_path / "t.parquet")
    assert [str(kind) for kind in table.schema.types] == ["int64", "double", "string", "bool"]
    assert table.schema.metadata is None
    assert table.column("x").null_count == 1
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "t.parquet"), FRAME)


def test_the_same_request_replaces_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path)
    before = shown(tmp_path)
    (tmp_path / "t.parquet").write_bytes(b"spoilt")
    (tmp_path / "my notes.txt").write_text("beside a run of the same request, this is nobody's business")
    write(tmp_path)
    after = shown(tmp_path)
    assert after.pop("my notes.txt")
    assert after == before


def test_a_file_that_is_no_longer_written_goes_away(tmp_path: Path) -> None:
    write(tmp_path)
    put(tmp_path, {}, {"note.txt": b"new"})
    assert shown(tmp_path) == {"note.txt": b"new"}


@pytest.mark.parametrize(
    ("request_", "names"),
    [({**REQUEST, "blocks": 4}, "blocks"), ({**REQUEST, "more": 1}, "more"), ({}, "command")],
    ids=["other", "longer", "empty"],
)
def test_another_request_is_refused(tmp_path: Path, request_: Any, names: str) -> None:
    write(tmp_path)
    before = shown(tmp_path)
    with pytest.raises(rumsim.RequestError, match=f"out: got .*{names}") as refused:
        check(tmp_path, request_)
    assert len(refused.value.lines) == 1
    assert shown(tmp_path) == before


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(rumsim.RequestError, match="other files"):
        check(tmp_path, REQUEST)
    with pytest.raises(rumsim.RequestError, match="other files"):
        write(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("place", ["file", "file/below", "zero\0byte", "", "/proc/none/here"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    where = place if place in ("", "/proc/none/here") else f"{tmp_path}/{place}"
    with pytest.raises(rumsim.RequestError, match="^out: got") as refused:
        check(where, REQUEST)
    assert len(refused.value.lines) == 1


@pytest.mark.parametrize("place", ["", "-", ".", "file/below", "none/file.csv", "/dev/null", "zero\0byte"])
def test_a_csv_that_cannot_be_written_is_refused(tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(rumsim.RequestError, match="^csv: got"):
        store.check_file(place, "csv")
    assert not list(tmp_path.glob(".*partial"))


# ---- nothing is lost -----------------------------------------------------------------------------------------


def result(blocks: int) -> dict[str, str]:
    return {"result.json": json.dumps({"blocks": blocks})}


def test_a_run_that_ends_with_fewer_blocks_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    assert put(tmp_path, {}, result(3)) == store.Kept(3, earlier=False)
    before = all_of(tmp_path)
    for blocks in (0, 1, 3):  # with all of them, interrupted afterwards
        assert put(tmp_path, {}, result(blocks), blocks=blocks, interrupted=True) == store.Kept(3, earlier=True)
    assert all_of(tmp_path) == before


def test_of_two_interrupted_runs_the_longer_one_stays(tmp_path: Path) -> None:
    for blocks, held in ((1, 1), (2, 2), (1, 2), (0, 2)):
        assert put(tmp_path, {}, result(blocks), blocks=blocks, interrupted=True).blocks == held
        assert json.loads((tmp_path / "result.json").read_bytes()) == {"blocks": held}
    # Of the same length, the one that had confirmed more.
    for confirmed, held in ((7, 7), (5, 7), (8, 8)):
        put(tmp_path, {}, {"x": str(confirmed)}, blocks=2, interrupted=True, confirm_blocks=confirmed)
        assert (tmp_path / "x").read_text() == str(held)
    assert put(tmp_path, {}, result(3)) == store.Kept(3, earlier=False)
    assert manifest_of(tmp_path)["partial"] is False


def test_a_run_without_blocks_leaves_no_folder_behind(tmp_path: Path) -> None:
    assert put(tmp_path / "new" / "run", {}, result(0), blocks=0, interrupted=True) == store.Kept(0, earlier=False)
    assert not list(tmp_path.iterdir())
    (tmp_path / "there").mkdir()
    put(tmp_path / "there", {}, result(0), blocks=0, interrupted=True)
    assert not list((tmp_path / "there").iterdir())
    with pytest.raises(ZeroDivisionError), store.run_folder(tmp_path / "new", REQUEST):
        raise ZeroDivisionError
    with pytest.raises(rumsim.RequestError, match="a folder that can be written"):
        check(tmp_path / "a" / "b" / ("c" * 300))
    assert [folder.name for folder in tmp_path.iterdir()] == ["there"]


def test_the_same_result_is_not_written_again(tmp_path: Path) -> None:
    first = write(tmp_path, started="then")
    before = all_of(tmp_path)
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    assert write(tmp_path, started="now", cpu_seconds=9) == first
    assert all_of(tmp_path) == before
    assert [file.name for file in tmp_path.iterdir() if file.stat().st_mtime == 1] == ["manifest.json"]
    (tmp_path / "note.txt").write_text("spoilt")
    assert write(tmp_path, started="now")["started"] == "now"
    assert_whole(tmp_path)


def test_charts_are_views_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {}, result(3))
    put(tmp_path, {}, {**result(3), "chart.svg": "drawn"}, {**REQUEST, "charts": True})  # as old manifests have it
    assert set(shown(tmp_path)) == {"result.json", "chart.svg"}
    assert_whole(tmp_path)
    before = all_of(tmp_path)
    put(tmp_path, {}, result(3))  # not asked for again, they are still right
    assert all_of(tmp_path) == before
    (tmp_path / "chart.svg").write_text("touched up")
    put(tmp_path, {}, result(3))
    assert set(shown(tmp_path)) == {"result.json"}
    put(tmp_path, {}, {**result(3), "chart.svg": "drawn"})
    monkeypatch.setattr(store, "RESULTS_VERSION", RESULTS_VERSION + 1)
    put(tmp_path, {}, {"result.json": "other numbers"})
    assert set(shown(tmp_path)) == {"result.json"}  # a chart of the old ones would be stale
    assert_whole(tmp_path)


# ---- failures while writing ----------------------------------------------------------------------------------


def full_disk(path: Path) -> None:
    path.write_bytes(b"half")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_failure_while_writing_leaves_the_old_files_whole(tmp_path: Path) -> None:
    put(tmp_path, {}, result(2), blocks=2, interrupted=True)
    before = all_of(tmp_path)
    with pytest.raises(OSError, match="No space"):
        put(tmp_path, {}, {**result(3), "z": full_disk})
    assert all_of(tmp_path) == before
    with pytest.raises(OSError, match="No space"):
        put(tmp_path / "new", {}, {"z": full_disk})
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("failing", range(8))
def test_a_failure_between_two_moves_takes_back_those_before(
    tmp_path: Path, failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {}, {**result(2), "gone": "x"}, blocks=2, interrupted=True)
    before = all_of(tmp_path)
    moves, rename = iter(range(99)), os.rename

    def once(source: Path, target: Path) -> None:
        if next(moves) == failing:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        rename(source, target)

    monkeypatch.setattr(placing.os, "rename", once)
    if failing == 7:  # one more than there are: ready, the manifest, two old files, two new ones, the manifest
        put(tmp_path, {}, {**result(3), "new": "y"})
        assert set(shown(tmp_path)) == {"result.json", "new"}
        assert_whole(tmp_path)
    else:
        with pytest.raises(OSError, match="not permitted"):
            put(tmp_path, {}, {**result(3), "new": "y"})
        assert all_of(tmp_path) == before


def test_a_folder_in_the_place_of_a_file_stays(tmp_path: Path) -> None:
    put(tmp_path, {}, result(2), blocks=2, interrupted=True)
    (tmp_path / "result.json").unlink()
    (tmp_path / "result.json").mkdir()
    (tmp_path / "result.json" / "mine").touch()
    with pytest.raises(IsADirectoryError):
        put(tmp_path, {}, result(3))
    assert (tmp_path / "result.json" / "mine").exists()
    put(tmp_path, {}, {"other": "x"})  # no longer wanted, and no longer ours to remove
    assert (tmp_path / "result.json" / "mine").exists()


def test_ctrl_c_while_files_are_written_leaves_whole_files(tmp_path: Path) -> None:
    def drawn(path: Path) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        path.write_bytes(b"drawn")

    with pytest.raises(KeyboardInterrupt):
        put(tmp_path, {"t": FRAME}, {"chart": drawn})
    assert_whole(tmp_path)


def dies(work: Callable[[], object], folder: Path, at: int) -> bool:
    """Do work in a process that ends, as if killed, before its n-th step in a folder; say whether it came so far."""
    child = os.fork()
    if not child:
        steps = iter(range(999))

        def watch(event: str, args: tuple[Any, ...]) -> None:
            ours = any(str(folder) in str(arg) or str(arg).startswith(".rumsim") for arg in args[:2])
            if event in ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir") and ours and next(steps) == at:
                os._exit(9)

        sys.addaudithook(watch)
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("old", [False, True], ids=["new folder", "used folder"])
def test_a_run_killed_at_any_step_leaves_the_old_result_or_the_new(
    tmp_path: Path, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provenance, "sources", lambda: {"commit": None, "dirty": None})
    folder = tmp_path / "run"
    first, second = {**result(2), "gone": "x"}, {**result(3), "new": "y"}
    allowed = [{name: text.encode() for name, text in files.items()} for files in (first, second)]
    for at in range(999):
        shutil.rmtree(folder, ignore_errors=True)
        if old:
            put(folder, {}, first, blocks=2, interrupted=True)
        if not dies(lambda: put(folder, {}, second), folder, at):
            break
        seen = {file.name: file for file in folder.iterdir()} if folder.exists() else {}
        if "manifest.json" in seen:  # then it tells the truth
            found = {name: file.read_bytes() for name, file in seen.items() if not name.startswith(".rumsim")}
            del found["manifest.json"]
            assert found in allowed
            assert {n: hashlib.sha256(c).hexdigest() for n, c in found.items()} == manifest_of(folder)["files"]
        # The next run, even if it is refused, finds one of the two, whole, and nothing else.
        if old:
            with pytest.raises(rumsim.RequestError, match="another run .it differs in more"):
                check(folder, {**REQUEST, "more": 1})
        check(folder)
        if folder.exists() and list(folder.iterdir()):
            assert_whole(folder)
            assert shown(folder) in allowed[not old :]
        put(folder, {}, second)
        assert shown(folder) == allowed[1]
        assert_whole(folder)
    assert 20 < at < 200


# ---- one run at a time ---------------------------------------------------------------------------------------


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with store.run_folder(folder, REQUEST) as place:
        for _ in range(2):
            with pytest.raises(rumsim.RequestError, match="^out: got .*another run is writing here; allowed: ") as no:
                check(folder)
            assert len(no.value.lines) == 1
        place.write({}, result(3), seed=0, blocks=3, interrupted=False, cpu_seconds=0)
        with pytest.raises(rumsim.RequestError, match="another run is writing"):
            check(folder)
    assert {file.name for file in folder.iterdir()} == {"manifest.json", "result.json"}
    check(folder)


def test_a_lock_whose_file_has_gone_is_taken_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process may end between our opening of the file and our locking it."""
    folder, tries = tmp_path / "run", iter(range(9))
    acquire = rumsim.runs.lock.FileLock.acquire

    def late(lock: Any, *args: Any, **kwargs: Any) -> Any:
        taken = acquire(lock, *args, **kwargs)
        if next(tries) < 3:
            shutil.rmtree(folder)
        return taken

    monkeypatch.setattr(rumsim.runs.lock.FileLock, "acquire", late)
    with store.run_folder(folder, REQUEST):
        other = FolderLock(folder)
        with pytest.raises(Taken):
            other.enter()
        other.leave()
    assert not folder.exists()


def test_a_folder_that_was_removed_meanwhile_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with store.run_folder(folder, REQUEST) as place:
        shutil.rmtree(folder)
        busy = pytest.raises(rumsim.RequestError, match="another run is writing")
        with store.run_folder(folder, REQUEST), busy:  # another run begins there: its lock is not ours to remove
            place.write({}, result(3), seed=0, blocks=3, interrupted=False, cpu_seconds=0)
        shutil.rmtree(folder, ignore_errors=True)
        place.write({}, result(3), seed=0, blocks=3, interrupted=False, cpu_seconds=0)
        with pytest.raises(rumsim.RequestError, match="another run is writing"):
            check(folder)
    assert_whole(folder)


# ---- manifests of others -------------------------------------------------------------------------------------

GOOD = {"request": {}, "results_version": 1, "block_ranges": [[0, 3]], "partial": False, "files": {}}
DAMAGED = {
    "empty": "",
    "cut off": json.dumps(GOOD)[:-5],
    "no object": "[]",
    "no JSON": "\0\xff",
    "no text": b"\xff\xfe{",
    "another program's": '{"name": "app", "icons": []}',
    "deep": "[" * 100_000,
    "deep within": json.dumps(GOOD)[:-1] + ', "more": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "a number too long": json.dumps(GOOD).replace("3", "3" * 5000),
    "no NaN": json.dumps(GOOD).replace("3", "NaN"),
    **{
        f"{key}: {value!r}"[:40]: json.dumps({**GOOD, key: value})
        for key, value in [
            *(("request", wrong) for wrong in (3, None, "x", [])),
            *(("files", wrong) for wrong in ([], {"a": 1}, {"a": "x"}, {"../a": "0" * 64}, {"..": "0" * 64})),
            *(("files", {name: "0" * 64}) for name in ("", "a/b", "a\0b", "manifest.json")),
            *(("block_ranges", wrong) for wrong in (7, [7], [[0]], [[0, "9"]], [[3, 0]], [[-1, 2]], [[0, 1.5]], None)),
            *(("partial", wrong) for wrong in ("yes", 0, None)),
            ("results_version", "1"),
        ]
    },
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_manifest_is_called_damaged(tmp_path: Path, content: str | bytes) -> None:
    file = tmp_path / "manifest.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(rumsim.RequestError, match="holds a damaged manifest.json.*; allowed: ") as refused:
        check(tmp_path)
    assert len(str(refused.value)) < 400
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_a_manifest_that_is_no_file_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rumsim.runs.manifest._MOST_BYTES", 1000)
    for place, make in enumerate(
        [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/none"), lambda path: path.write_bytes(b" " * 1001)]
    ):
        (tmp_path / str(place)).mkdir()
        make(tmp_path / str(place) / "manifest.json")
        with pytest.raises(rumsim.RequestError, match="damaged manifest"):
            check(tmp_path / str(place))


def test_what_a_manifest_says_is_shown_escaped_and_short(tmp_path: Path) -> None:
    put(tmp_path, {}, result(3), {"\x1b[31mred\n": 1, "y" * 10_000: 2, **{f"key {n}": n for n in range(1000)}})
    with pytest.raises(rumsim.RequestError, match="another run") as refused:
        check(tmp_path)
    line = str(refused.value)
    assert line.isprintable()
    assert len(line) < 600


# ---- names are names -----------------------------------------------------------------------------------------

NAMES = ["~", "~root", "file:x", "s3:/b", " two  blanks ", "line\nbreak", "100%s%20", "a\udcff", "-", "$HOME", "*"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_folders_and_files_are_names(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    from rumsim.charts.style import save

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    with store.run_folder(name, REQUEST) as place:
        charts = {f"c.{kind}": lambda path: save(Figure(), path) for kind in ("svg", "png", "pdf")}
        place.write({"t": FRAME}, charts, seed=0, blocks=3, interrupted=False, cpu_seconds=0)
    assert {os.fsencode(file) for file in os.listdir()} == {b"home", os.fsencode(name.split("/")[0])}
    assert not list((tmp_path / "home").iterdir())
    assert_whole(Path(name))
    assert set(shown(Path(name))) == {"t.parquet", *charts}
    file = store.check_file(f"{name}.csv", "csv")
    store.write_file(file, "1")
    assert Path(f"{name}.csv").read_bytes() == b"1"
    with pytest.raises(rumsim.RequestError) as refused:
        check(name, {})
    assert str(refused.value).isprintable()


def test_the_longest_name_there_can_be(tmp_path: Path) -> None:
    file = store.check_file(tmp_path / ("x" * 251 + ".csv"), "csv")
    store.write_file(file, "1")
    assert os.listdir(tmp_path) == [file.name]
