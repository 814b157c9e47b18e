"""Threads that work in the background, and that nobody has to wait for.

Those of ``concurrent.futures`` are waited for at the latest when the interpreter ends, which a bot that never ends
would put off for ever.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue

Call = Callable[[], object]

_STACK = 16 << 20  # bytes; compilers recurse, and some systems give threads too little
_lock = threading.Lock()
_idle: list[SimpleQueue[tuple[Call, Call]]] = []
_busy = 0


def start(work: Call, ended: Call) -> None:
    """Let a thread call ``work`` and, once it could be given other work, ``ended``; neither may raise."""
    global _busy
    with _lock:
        _busy += 1
        calls = _idle.pop() if _idle else _new()
    calls.put((work, ended))


def at_work() -> bool:
    """Say whether any of the threads still works."""
    return _busy > 0


def _new() -> SimpleQueue[tuple[Call, Call]]:
    calls: SimpleQueue[tuple[Call, Call]] = SimpleQueue()
    before = threading.stack_size(_STACK)
    try:
        threading.Thread(target=_serve, args=(calls,), name="rumsim-worker", daemon=True).start()
    finally:
        threading.stack_size(before)
    return calls


def _serve(calls: SimpleQueue[tuple[Call, Call]]) -> None:
    global _busy
    while True:
        work, ended = calls.get()
        work()
        with _lock:
            _busy -= 1
            _idle.append(calls)
        ended()
        del work, ended  # they hold what was played


def _forget() -> None:
    """Start anew in a process that was forked: threads stay behind."""
    global _busy, _lock
    _lock, _busy = threading.Lock(), 0
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
