"""Logs of AI agents to records, verdicts on records, and reports: mcpl within Python.

    import mcpl_tools as mcpl

    runs = list(mcpl.extract("~/.claude/projects"))
    for run in mcpl.check(runs, "no :shell(command ~ /rm -rf/)"):
        print(run["id"], run["status"])
    print(mcpl.report(mcpl.check(runs, "<= 3 refund")).text)

A record is a dict, as mcpl-trace(5) describes it. Where libmcpl-tools is not to be had, the
commands mcpl-extract, mcpl-check and mcpl-report do the work; both ways give the same.
"""

from __future__ import annotations

import ctypes
import io
import json
import os
import queue
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Callable, Iterable, Iterator, Sequence, Union

__all__ = ["Checker", "Message", "MistakeError", "MistakeWarning", "Report", "Verdict",
           "assert_policy", "check", "check_call", "extract", "report", "uses_library"]

Record = dict[str, Any]
__tracebackhide__ = True  # pytest shows the caller's line, and no line of this module

Records = Union[Iterable[Union[Record, str, bytes]], Record, str, bytes]
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]
Listener = Callable[["Message"], None]


@dataclass(frozen=True)
class Message:
    """A message about an input: FILE:LINE:COLUMN: TEXT."""

    level: str  # "error" or "warning"
    text: str
    file: str | None = None
    line: int = 0  # from 1; 0: the file as a whole
    column: int = 0

    def __str__(self) -> str:
        place = [str(part) for part in (self.file, self.line, self.column) if part]
        return ": ".join([":".join(place), self.text] if place else [self.text])


class MistakeError(ValueError):
    """An assertion, an option or a record that mcpl does not understand."""

    def __init__(self, messages: Sequence[Message]):
        super().__init__("\n".join(map(str, messages)) or "not understood")
        self.messages = list(messages)


class MistakeWarning(UserWarning):
    """A message about a log, most of which was read all the same."""


@dataclass(frozen=True)
class Verdict:
    """The answer to the question whether an agent may make a call."""

    status: str  # "passed", "failed", "pending" (a person decides), "skipped" (unknown)
    reasons: list[str]

    @property
    def allowed(self) -> bool:
        return self.status == "passed"


@dataclass(frozen=True)
class Report:
    text: str
    status: int  # the exit status of mcpl-report: 0 if the gate lets the runs through

    def __str__(self) -> str:
        return self.text


def _warn(message: Message) -> None:
    """Warns of what the caller of this module did."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals is globals():
        level, frame = level + 1, frame.f_back
    warnings.warn(str(message), MistakeWarning, stacklevel=level)


def _refuse(text: str) -> MistakeError:
    return MistakeError([Message("error", text)])


# ---- the library -------------------------------------------------------------------

_NAME = "libmcpl-tools.so.0"
_MISTAKE, _SYSTEM, _MISUSE = 2, 3, 4


class _Text(ctypes.Structure):
    _fields_ = [("s", ctypes.c_void_p), ("n", ctypes.c_size_t)]

    def bytes(self) -> bytes:
        return ctypes.string_at(self.s, self.n) if self.s else b""

    def __str__(self) -> str:
        return self.bytes().decode(errors="replace")


class _Said(ctypes.Structure):
    _fields_ = [("level", ctypes.c_int), ("file", ctypes.c_char_p),
                ("line", ctypes.c_size_t), ("column", ctypes.c_size_t),
                ("text", ctypes.c_char_p)]


_SAY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Said))
_TAKE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, _Text)
_READ = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("message", _SAY), ("arg", ctypes.c_void_p)]


class _ExtractOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("take", _TAKE), ("arg", ctypes.c_void_p),
                ("format", ctypes.c_char_p), ("to", ctypes.c_char_p), ("scenario", ctypes.c_char_p),
                ("agent", ctypes.c_char_p), ("results", ctypes.c_size_t),
                ("no_results", ctypes.c_int), ("no_system", ctypes.c_int),
                ("split", ctypes.c_int), ("sidechains", ctypes.c_int),
                ("max_memory", ctypes.c_size_t)]


class _Result(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("type", _Text), ("label", _Text),
                ("reason", _Text), ("got", _Text), ("at", _Text), ("severity", _Text),
                ("turn", ctypes.c_ssize_t)]


class _ReportOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("format", ctypes.c_char_p),
                ("details", ctypes.c_int), ("min_pass_rate", ctypes.c_double)]


def _load() -> ctypes.CDLL | None:
    given = os.environ.get("MCPL_TOOLS_LIBRARY")
    for path in [given] if given is not None else [str(Path(__file__).with_name(_NAME)), _NAME]:
        try:
            lib = ctypes.CDLL(path)
            break
        except OSError:
            continue
    else:
        return None
    pointer, text, size = ctypes.c_void_p, _Text, ctypes.c_size_t
    chars, code = ctypes.c_char_p, ctypes.c_int
    for name, returns, takes in [
            ("open", pointer, [pointer]), ("close", None, [pointer]),
            ("extract", code, [pointer, pointer, chars, _READ, pointer]),
            ("extract_files", code, [pointer, pointer, pointer, size]),
            ("spec_open", pointer, [pointer]), ("spec_close", None, [pointer]),
            ("spec_file", code, [pointer, chars, chars]),
            ("spec_text", code, [pointer, chars, text, chars]),
            ("spec_rule", code, [pointer, text]),
            ("check_open", pointer, [pointer, pointer]), ("check_close", None, [pointer]),
            ("check_record", code, [pointer, text, pointer, pointer]),
            ("check_call", code, [pointer, text, text, text, pointer]),
            ("check_results", ctypes.POINTER(_Result), [pointer, pointer]),
            ("report_open", pointer, [pointer, pointer]), ("report_close", None, [pointer]),
            ("report_add", code, [pointer, text]),
            ("report_end", code, [pointer, pointer, pointer]),
            ("status_name", chars, [code])]:
        function = getattr(lib, f"mcplt_{name}")
        function.restype, function.argtypes = returns, takes
    return lib


_lib = _load()


def uses_library() -> bool:
    """Returns whether libmcpl-tools does the work; else the commands do."""
    return _lib is not None


def _text(data: bytes) -> _Text:
    return _Text(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))


def _json(record: Record | str | bytes) -> bytes:
    if isinstance(record, bytes):
        return record
    return (record if isinstance(record, str) else json.dumps(record)).encode()


def _each(records: Records) -> Iterator[bytes]:
    """Yields records as JSON; a single one in place of a list will do."""
    return map(_json, [records] if isinstance(records, (dict, str, bytes)) else records)


class _Tools:
    """An object of the library, and what it says."""

    def __init__(self, listener: Listener):
        assert _lib is not None
        self.said: list[Message] = []
        self._listener = listener
        self._say = _SAY(self._hear)
        options = _Options(ctypes.sizeof(_Options), self._say, None)
        self.pointer = _lib.mcplt_open(ctypes.byref(options))
        if not self.pointer:
            raise MemoryError("libmcpl-tools")

    def _hear(self, _arg: Any, said: Any) -> None:
        m = said.contents
        message = Message("warning" if m.level else "error",
                          (m.text or b"").decode(errors="replace"),
                          None if m.file is None else m.file.decode(errors="replace"),
                          m.line, m.column)
        self.said.append(message)
        self._listener(message)

    def expect(self, code: int) -> None:
        """Raises an error unless a function of the library did its work."""
        said, self.said = self.said, []
        if code == _SYSTEM:
            raise OSError("\n".join(map(str, said)))
        if code in (_MISTAKE, _MISUSE):
            raise MistakeError([m for m in said if m.level == "error"])

    def close(self) -> None:
        if _lib is not None and self.pointer:
            _lib.mcplt_close(self.pointer)
            self.pointer = None

    def __del__(self) -> None:
        self.close()


# ---- logs to records ---------------------------------------------------------------

def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike))


def _reader(source: Any) -> Callable[[int], bytes]:
    """Returns a function that returns the next bytes of a log, n at most."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = io.BytesIO(source)
    if not hasattr(source, "read") or not isinstance(source.read(0), bytes):
        raise TypeError("extract: expected a path, a list of paths, bytes or a file that is "
                        f"open in binary mode, found {type(source).__name__}")
    function = getattr(source, "read1", source.read)

    def read(n: int) -> bytes:
        data: bytes = function(n)
        if len(data) > n:
            raise ValueError(f"read: expected {n} bytes at most, found {len(data)}")
        return data

    return read


class _Extraction(threading.Thread):
    """Reads in a thread of its own, so that records are to be had one by one."""

    def __init__(self, source: Any, name: str, options: dict[str, Any]):
        super().__init__(daemon=True)
        self.records: queue.Queue[Any] = queue.Queue(maxsize=256)
        self.left = False  # the caller wants no more
        self._source, self._name, self._options = source, name, options

    def _put(self, item: Any) -> bool:
        """Returns whether the caller still wants the item."""
        while not self.left:
            try:
                self.records.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False

    def _take(self, _arg: Any, record: _Text) -> int:
        return 0 if self._put(record.bytes()) else 1

    def _hear(self, message: Message) -> None:
        self._put(message)

    def run(self) -> None:
        try:
            self._extract()
            self._put(None)
        except BaseException as error:  # is raised again by the caller's thread
            self._put(error)

    def _extract(self) -> None:
        assert _lib is not None
        failed: list[BaseException] = []
        tools = _Tools(self._hear)
        given = {k: v.encode() if isinstance(v, str) else v for k, v in self._options.items()}
        options = _ExtractOptions(ctypes.sizeof(_ExtractOptions), _TAKE(self._take), **given)
        if isinstance(self._source, list):
            paths = (ctypes.c_char_p * len(self._source))(*map(os.fsencode, self._source))
            code = _lib.mcplt_extract_files(tools.pointer, ctypes.byref(options), paths,
                                            len(paths))
        else:
            read = self._source

            def store(_arg: Any, to: int, n: int) -> int:
                try:
                    data = read(n)
                except BaseException as error:  # must not cross the library
                    failed.append(error)
                    return -1
                ctypes.memmove(to, data, len(data))
                return len(data)

            code = _lib.mcplt_extract(tools.pointer, ctypes.byref(options), self._name.encode(),
                                      _READ(store), None)
        tools.close()
        if failed:
            raise failed[0]
        if code in (_SYSTEM, _MISUSE):
            raise OSError("\n".join(map(str, tools.said)) or "extract: a wrong argument")
        _raise_for_options(tools.said)


def _raise_for_options(said: Sequence[Message]) -> None:
    """Raises an error for what is said about no log: an option is wrong."""
    wrong = [m for m in said if m.level == "error" and m.file is None]
    if wrong:
        raise MistakeError(wrong)


def _extract_by_library(source: Any, name: str, options: dict[str, Any],
                        listener: Listener) -> Iterator[Record]:
    thread = _Extraction(source, name, options)
    thread.start()
    try:
        while (item := thread.records.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            if isinstance(item, Message):
                if item.file is not None:
                    listener(item)
            else:
                yield json.loads(item)
    finally:
        thread.left = True


def _some(records: Iterator[Record], wrong: Sequence[Message]) -> Iterator[Record]:
    """Yields the records. A log of which nothing could be read is an error, since an empty
    list of runs keeps every rule."""
    n = 0
    for n, record in enumerate(records, 1):
        yield record
    if n == 0 and wrong:
        raise MistakeError(wrong)


def extract(source: Source | Sequence[str | os.PathLike[str]], *, name: str = "<bytes>",
            format: str | None = None, scenario: str | None = None, agent: str | None = None,
            results: int | None = None, system: bool = True, split: bool = False,
            sidechains: str = "nest", on_message: Listener | None = None) -> Iterator[Record]:
    """Yields a record for each run in a log: a path, a folder, a list of these, bytes, or a
    binary file. Messages are warnings (MistakeWarning) unless on_message takes them; a log
    of which nothing could be read is a MistakeError.

    results: bytes of each tool result to keep; None: all. system: keep the system prompt.
    split: a record for each prompt. sidechains: "nest", "separate" or "drop"."""
    how = ["nest", "separate", "drop"]
    if sidechains not in how:
        raise _refuse(f"sidechains: expected nest, separate or drop, found '{sidechains}'")
    if results is not None and results < 0:
        raise _refuse(f"results: expected 0 or more bytes, found {results}")
    paths: Any = [source] if _is_path(source) else source
    given: Any = [os.path.expanduser(os.fspath(path)) for path in paths] \
        if isinstance(paths, (list, tuple)) else _reader(source)
    wrong: list[Message] = []

    def listener(message: Message) -> None:
        if message.level == "error" and len(wrong) < 20:
            wrong.append(message)
        (on_message or _warn)(message)

    if _lib is None:
        options = {"--format": format, "--scenario": scenario, "--agent": agent,
                   "--results": None if results is None else str(results) if results else "none",
                   "--system": None if system else "none",
                   "--split": "prompt" if split else None, "--sidechains": sidechains}
        return _some(_spawn_extract(given, name, options, listener), wrong)
    return _some(_extract_by_library(given, name, {
        "format": format, "scenario": scenario, "agent": agent, "results": results or 0,
        "no_results": int(results == 0), "no_system": int(not system), "split": int(split),
        "sidechains": how.index(sidechains)}, listener), wrong)


# ---- verdicts ----------------------------------------------------------------------

class Checker:
    """Checks records by rules (a line each, as arguments or in a list) and assertion files
    (paths). A mistake in these is a MistakeError. To be used by one thread at a time."""

    def __init__(self, *rules: str | Sequence[str], specs: Sequence[str | os.PathLike[str]] = (),
                 dialect: str | None = None, slim: bool = False):
        texts = [text for rule in rules for text in ([rule] if isinstance(rule, str) else rule)]
        self._rules, self._dialect, self._slim = texts, dialect, slim
        self._specs = [os.path.expanduser(os.fspath(path)) for path in specs]
        if not texts and not self._specs:
            raise _refuse("no rule and no assertion file is given")
        self._tools: _Tools | None = None
        if _lib is None:
            _spawn_lint(self._arguments())
            return
        self._tools = tools = _Tools(lambda m: None)
        self._spec = _lib.mcplt_spec_open(tools.pointer)
        self._check = None
        for path in self._specs:
            tools.expect(_lib.mcplt_spec_file(
                self._spec, os.fsencode(path), dialect.encode() if dialect else None))
        for rule in texts:
            tools.expect(_lib.mcplt_spec_rule(self._spec, _text(rule.encode())))
        options = (ctypes.c_size_t * 2)(ctypes.sizeof(ctypes.c_size_t) * 2, int(slim))
        self._check = _lib.mcplt_check_open(self._spec, options)

    def _arguments(self) -> list[str]:
        dialect = ["-d", self._dialect] if self._dialect else []
        return dialect + [part for path in self._specs for part in ("-s", path)] + \
            [part for rule in self._rules for part in ("--rule", rule)]

    def check(self, record: Record | str | bytes) -> Record:
        """Returns the record with its check_results and its status."""
        if self._tools is None:
            return next(_spawn_check(self._arguments(), [_json(record)], self._slim))
        assert _lib is not None
        status, checked = ctypes.c_int(), _Text()
        self._tools.expect(_lib.mcplt_check_record(
            self._check, _text(_json(record)), ctypes.byref(status), ctypes.byref(checked)))
        return dict(json.loads(checked.bytes()))

    def check_call(self, record: Record | str | bytes, tool: str,
                   args: dict[str, Any] | None = None) -> Verdict:
        """Tells whether the agent of the record may make this call now. What the agent broke
        before does not count."""
        if self._tools is None:
            return _spawn_call(self._arguments(), record, tool, args or {})
        assert _lib is not None
        status, n = ctypes.c_int(), ctypes.c_size_t()
        self._tools.expect(_lib.mcplt_check_call(
            self._check, _text(_json(record)), _text(tool.encode()), _text(_json(args or {})),
            ctypes.byref(status)))
        results = _lib.mcplt_check_results(self._check, ctypes.byref(n))
        return Verdict(_lib.mcplt_status_name(status.value).decode(),
                       [str(results[i].reason) for i in range(n.value)])

    def __del__(self) -> None:
        if getattr(self, "_tools", None) is not None and _lib is not None:
            _lib.mcplt_check_close(getattr(self, "_check", None))
            _lib.mcplt_spec_close(getattr(self, "_spec", None))
            self._tools.close()  # type: ignore[union-attr]


def check(records: Records, *rules: str | Sequence[str],
          specs: Sequence[str | os.PathLike[str]] = (), dialect: str | None = None,
          slim: bool = False) -> Iterator[Record]:
    """Yields each record with its check_results and its status."""
    checker = Checker(*rules, specs=specs, dialect=dialect, slim=slim)
    if _lib is None:
        return _spawn_check(checker._arguments(), _each(records), slim)
    return map(checker.check, _each(records))


def check_call(record: Record | str | bytes, tool: str, args: dict[str, Any] | None = None,
               *rules: str | Sequence[str], specs: Sequence[str | os.PathLike[str]] = ()) -> Verdict:
    """Like Checker.check_call, for a single call."""
    return Checker(*rules, specs=specs).check_call(record, tool, args)


# ---- reports -----------------------------------------------------------------------

def report(records: Records, *, format: str = "text",
           details: bool = False, min_pass_rate: float = 0.0) -> Report:
    """Returns a report on checked records, and what the gate says of them. min_pass_rate:
    0.9 lets the runs through if nine of ten passed; 0: each must pass."""
    if not 0 <= min_pass_rate <= 1:
        raise _refuse(f"min_pass_rate: expected 0 to 1, found {min_pass_rate}")
    if _lib is None:
        return _spawn_report(_each(records), format, details, min_pass_rate)
    tools = _Tools(lambda m: None)
    options = _ReportOptions(ctypes.sizeof(_ReportOptions), format.encode(), int(details),
                             min_pass_rate)
    pointer = _lib.mcplt_report_open(tools.pointer, ctypes.byref(options))
    if not pointer:
        raise _refuse(f"format: unknown: '{format}'")
    try:
        for record in _each(records):
            tools.expect(_lib.mcplt_report_add(pointer, _text(record)))
        text, gate = _Text(), ctypes.c_int()
        tools.expect(_lib.mcplt_report_end(pointer, ctypes.byref(text), ctypes.byref(gate)))
        return Report(str(text), gate.value)
    finally:
        _lib.mcplt_report_close(pointer)
        tools.close()


# ---- pytest ------------------------------------------------------------------------

def assert_policy(runs: Records, *rules: str | Sequence[str],
                  specs: Sequence[str | os.PathLike[str]] = ()) -> None:
    """Fails unless each run passed each rule. A run that a rule cannot decide fails too, and
    so do no runs at all. The failure tells each rule, the run, and what the run has."""
    lines: list[str] = []
    n = 0
    for run in check(runs, *rules, specs=specs):
        n += 1
        if run.get("status") == "passed":
            continue
        lines.append(f"run {run.get('id')}: {run.get('status')}")
        for result in run.get("check_results", []):
            if result.get("status") == "passed":
                continue
            lines.append(f"  {result.get('status')}: {result.get('label')}")
            lines += [f"    {key}: {result[key]}" for key in ("reason", "got") if result.get(key)]
    if n == 0:
        lines.append("no runs")
    if lines:
        raise AssertionError("\n".join(lines))


# ---- the commands ------------------------------------------------------------------

def _command(name: str) -> str:
    path = shutil.which(name) or shutil.which(name, path=sysconfig.get_path("scripts"))
    if path is None:
        raise OSError(f"neither {_NAME} nor the command {name} is to be had here")
    return path


def _messages(path: str) -> list[Message]:
    with open(path, encoding="utf-8") as lines:
        said = [json.loads(line) for line in lines]
    return [Message(m["level"], m["message"], m.get("file"), m.get("line", 0),
                    m.get("column", 0)) for m in said]


def _feed(to: BinaryIO, pieces: Iterable[bytes], failed: list[BaseException]) -> None:
    try:
        with to:
            for piece in pieces:
                to.write(piece)
    except BrokenPipeError:
        pass
    except BaseException as error:  # is raised again by the caller's thread
        failed.append(error)


def _spawn(arguments: list[str], pieces: Iterable[bytes] | None,
           listener: Listener | None, most: int) -> Iterator[bytes]:
    """Yields the lines of a command's output. Its messages go to the listener, or are an
    error if its status exceeds `most`."""
    failed: list[BaseException] = []
    with tempfile.NamedTemporaryFile() as errors:
        command = [_command(arguments[0]), "--errors", errors.name, *arguments[1:]]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL if pieces is None
                              else subprocess.PIPE) as process:
            if pieces is not None:
                threading.Thread(target=_feed, args=(process.stdin, pieces, failed),
                                 daemon=True).start()
            assert process.stdout is not None
            yield from process.stdout
        if failed:
            raise failed[0]
        said = _messages(errors.name)
        if listener is not None:
            for message in said:
                if message.file is not None:
                    listener(message)
            _raise_for_options(said)
        elif process.returncode > most:
            raise MistakeError([m for m in said if m.level == "error"])


def _spawn_extract(source: Any, name: str, options: dict[str, str | None],
                   listener: Listener) -> Iterator[Record]:
    given = [part for k, v in options.items() if v is not None for part in (k, v)]
    if isinstance(source, list):
        yield from map(json.loads, _spawn(["mcpl-extract", *given, "--", *source], None,
                                          listener, 2))
        return
    read: Callable[[int], bytes] = source
    for line in _spawn(["mcpl-extract", *given, "-"], iter(lambda: read(1 << 16), b""),
                       listener, 2):
        record: Record = json.loads(line)
        if "file" in record.get("source", {}):
            record["source"]["file"] = name
        yield record


def _spawn_lint(arguments: list[str]) -> None:
    for _ in _spawn(["mcpl-check", "--lint", *arguments], None, None, 0):
        pass


def _spawn_check(arguments: list[str], records: Iterable[bytes], slim: bool) -> Iterator[Record]:
    command = ["mcpl-check", *(["--slim"] if slim else []), *arguments]
    lines = _spawn(command, (record + b"\n" for record in records), None, 1)
    return (json.loads(line) for line in lines)


def _spawn_call(arguments: list[str], record: Record | str | bytes, tool: str,
                args: dict[str, Any]) -> Verdict:
    run = json.loads(_json(record))
    if "turns" not in run and run.get("tool_sequence"):
        raise _refuse("record: expected turns with the calls, found only their names (a record "
                      "that --slim made)")
    run.setdefault("turns", [{}])[-1].setdefault("steps", []).append(
        {"tool": tool, "args": args, "pending": True})
    if "tool_sequence" in run:  # else calls may be lost
        run["tool_sequence"].append(tool)
    run["meta"] = {**run.get("meta", {}),
                   "hook": {"agent": "claude-code", "event": "PreToolUse"}}
    answer = b"".join(_spawn(["mcpl-check", "--guard=json", *arguments],
                             [_json(run) + b"\n"], None, 0))
    said = json.loads(answer or b"{}").get("hookSpecificOutput", {})
    reason = said.get("permissionDecisionReason")
    if not said and not next(_spawn_check(arguments, [_json(run)], False)).get("check_results"):
        return Verdict("skipped", [])  # no check judges the call
    status = {"deny": "failed", "ask": "pending"}.get(said.get("permissionDecision"), "passed")
    if reason and reason.startswith("undecided: "):
        status = "skipped"
    return Verdict(status, [reason] if reason else [])


def _spawn_report(records: Iterable[bytes], format: str, details: bool,
                  rate: float) -> Report:
    options = ["--details"] * details + (["--fail-under", f"{rate * 100}"] if rate else [])
    with tempfile.NamedTemporaryFile() as errors:
        done = subprocess.run([_command("mcpl-report"), "--errors", errors.name, "--format",
                               format, *options],
                              input=b"".join(record + b"\n" for record in records),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        mistakes = [m for m in _messages(errors.name) if m.level == "error"]
    if mistakes or (done.returncode == 2 and not done.stdout):
        raise MistakeError(mistakes or [Message("error", line) for line in
                                        done.stderr.decode(errors="replace").splitlines()])
    return Report(done.stdout.decode(), done.returncode)
