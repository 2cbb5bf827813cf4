"""What the scripts in this folder share: a GTP engine as a child process, and a plain Go board.

Python 3.8 or later, standard library only. Not a program of its own.

The board is written to be checked by eye, not to be fast: it is the scripts' own idea of the rules, so
that they need not believe either engine. It knows captures, suicide (refused), simple ko, positional
repetition and the area count.
"""

import os
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EGTP = os.path.join(ROOT, "target", "release", "egtp")
EMPTY, BLACK, WHITE = 0, 1, 2
NAME = {BLACK: "black", WHITE: "white"}
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class EngineError(Exception):
    """The engine died, fell silent, or wrote something that is not GTP."""


def find_gnugo(given=None):
    """GNU Go's path: as given, from PATH, or where Debian puts it."""
    for name in [given] if given else ["gnugo", "/usr/games/gnugo"]:
        path = shutil.which(name)
        if path:
            return path
    sys.exit("no %s: install GNU Go 3.8 (Debian: apt install gnugo)" % (given or "gnugo"))


def need_egtp(path):
    """The path of egtp as an absolute one, or the end of the script."""
    if not os.access(path, os.X_OK):
        sys.exit("no executable %s: cargo build --release, or --egtp PATH" % path)
    return os.path.abspath(path)


def close_line(passed, failed):
    """The last line of every script, and its exit status."""
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


class Engine:
    """A GTP engine on the pipes of a child process. `with` ends it; it is ended by its own handle only."""

    def __init__(self, command, name=None, timeout=30.0):
        argv = shlex.split(command) if isinstance(command, str) else list(command)
        self.name = name or os.path.basename(argv[0])
        self.timeout = timeout
        self.errors = tempfile.TemporaryFile()
        try:
            self.child = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0
            )
        except OSError as e:
            self.errors.close()
            raise EngineError("cannot start %s: %s" % (argv[0], e.strerror))
        self.pid = self.child.pid
        self.inp, self.out = self.child.stdin.fileno(), self.child.stdout.fileno()
        os.set_blocking(self.inp, False)
        self.left = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def fail(self, what):
        self.errors.seek(0)
        said = self.errors.read()[-400:].decode("utf-8", "replace").strip()
        raise EngineError("%s: %s%s" % (self.name, what, "\nits standard error: " + said if said else ""))

    def stream(self, data, answers, timeout=None):
        """Sends bytes and returns the bytes of that many answers, reading while it writes."""
        end = time.monotonic() + (timeout or self.timeout)
        view, sent = memoryview(data), 0
        parts, count, tail = [self.left], self.left.count(b"\n\n"), self.left[-1:]
        while sent < len(view) or count < answers:
            wait = end - time.monotonic()
            if wait <= 0:
                self.fail("no answer in time to %r" % bytes(data[:60]))
            r, w, _ = select.select([self.out], [self.inp] if sent < len(view) else [], [], wait)
            if w:
                try:
                    sent += os.write(self.inp, view[sent : sent + 65536])
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    self.fail("closed its input at %r" % bytes(data[:60]))
            if r:
                got = os.read(self.out, 1 << 20)
                if not got:
                    self.fail("ended at %r" % bytes(data[:60]))
                got = got.replace(b"\r", b"")
                # "\n\n" may be cut in two between reads
                count += (tail + got).count(b"\n\n")
                tail = b"" if (tail + got).endswith(b"\n\n") else got[-1:]
                parts.append(got)
        self.left = b""
        return b"".join(parts)

    def ask_many(self, commands, timeout=None):
        """Sends the commands in one go and returns (ok, text) for each."""
        if not commands:
            return []
        raw = self.stream(("\n".join(commands) + "\n").encode(), len(commands), timeout)
        blocks = raw.decode("utf-8", "replace").split("\n\n")
        if len(blocks) != len(commands) + 1 or blocks[-1]:
            self.fail("%d answers to %d commands" % (len(blocks) - 1, len(commands)))
        answers = []
        for block, command in zip(blocks, commands):
            if block[:1] not in ("=", "?"):
                self.fail("not GTP in answer to %r: %r" % (command, block[:80]))
            answers.append((block[0] == "=", block[1:].strip(" ")))
        return answers

    def ask(self, command, timeout=None):
        return self.ask_many([command], timeout)[0]

    def must(self, command, timeout=None):
        """The text of an answer that has to be a success."""
        ok, text = self.ask(command, timeout)
        if not ok:
            self.fail("%s: ? %s" % (command, text))
        return text

    def close(self):
        """quit, then end of input, then the signals, each with little patience."""
        try:
            os.write(self.inp, b"quit\n")
        except OSError:
            pass
        self.child.stdin.close()
        for act in (None, self.child.terminate, self.child.kill):
            if act:
                act()
            try:
                self.child.wait(2)
                break
            except subprocess.TimeoutExpired:
                pass
        self.child.stdout.close()
        self.errors.close()


class Board:
    """A square board. Points are numbered row by row from the top left; a pass is None."""

    neighbours = {}

    def __init__(self, n):
        self.n = n
        self.cells = bytearray(n * n)
        self.prisoners = [0, 0, 0]  # taken by nobody, by black, by white
        self.ko = None  # (point, the colour that may not play there)
        self.seen = {bytes(self.cells)}
        if n not in Board.neighbours:
            Board.neighbours[n] = [
                [
                    (y + b) * n + x + a
                    for a, b in ((0, -1), (-1, 0), (1, 0), (0, 1))
                    if 0 <= x + a < n and 0 <= y + b < n
                ]
                for y in range(n)
                for x in range(n)
            ]
        self.near = Board.neighbours[n]

    def vertex(self, p):
        if p is None:
            return "pass"
        x = p % self.n
        return (COLUMNS[x] if x < 25 else COLUMNS[(x - 25) // 25] + COLUMNS[x % 25]) + str(self.n - p // self.n)

    def point(self, vertex):
        v = vertex.upper()
        if v == "PASS":
            return None
        letters = v.rstrip("0123456789")
        x = -1
        for c in letters:
            x = (x + 1) * 25 + COLUMNS.index(c)
        y = self.n - int(v[len(letters) :])
        if not (0 <= x < self.n and 0 <= y < self.n):
            raise ValueError(vertex)
        return y * self.n + x

    def chain(self, p):
        """The points of a chain and its liberties, as sets."""
        colour, stones, liberties, todo = self.cells[p], {p}, set(), [p]
        while todo:
            for q in self.near[todo.pop()]:
                if not self.cells[q]:
                    liberties.add(q)
                elif self.cells[q] == colour and q not in stones:
                    stones.add(q)
                    todo.append(q)
        return stones, liberties

    def taken_by(self, colour, p):
        """The opponent's stones that a stone here would take."""
        taken = set()
        for q in self.near[p]:
            if self.cells[q] == 3 - colour and q not in taken:
                stones, liberties = self.chain(q)
                if liberties == {p}:
                    taken |= stones
        return taken

    def illegal(self, colour, p, superko=False):
        """None, or why a move is refused: 'occupied', 'ko', 'suicide' or 'superko'."""
        if p is None:
            return None
        if self.cells[p]:
            return "occupied"
        if self.ko == (p, colour):
            return "ko"
        if not superko and any(not self.cells[q] for q in self.near[p]):
            return None
        taken = self.taken_by(colour, p)
        if not taken:
            self.cells[p] = colour
            alive = self.chain(p)[1]
            self.cells[p] = EMPTY
            if not alive:
                return "suicide"
        if superko:
            after = bytearray(self.cells)
            after[p] = colour
            for q in taken:
                after[q] = EMPTY
            if bytes(after) in self.seen:
                return "superko"
        return None

    def play(self, colour, p):
        """Carries a legal move out; returns the stones it took."""
        self.ko = None
        if p is None:
            return set()
        taken = self.taken_by(colour, p)
        self.cells[p] = colour
        for q in taken:
            self.cells[q] = EMPTY
        self.prisoners[colour] += len(taken)
        if len(taken) == 1:
            stones, liberties = self.chain(p)
            if len(stones) == 1 and liberties == taken:
                self.ko = (min(taken), 3 - colour)
        self.seen.add(bytes(self.cells))
        return taken

    def eye(self, colour, p):
        """An empty point with only own stones beside it and no two (at the edge: one) enemies across."""
        if self.cells[p] or any(self.cells[q] != colour for q in self.near[p]):
            return False
        x, y, bad, edge = p % self.n, p // self.n, 0, 0
        for a in (-1, 1):
            for b in (-1, 1):
                if 0 <= x + a < self.n and 0 <= y + b < self.n:
                    bad += self.cells[(y + b) * self.n + x + a] == 3 - colour
                else:
                    edge = 1
        return bad + edge < 2

    def random_move(self, colour, rng, superko=False, fill=False):
        """A random legal move that fills no eye (with `fill`: unless it must), or None for a pass."""
        empty = [p for p in range(self.n * self.n) if not self.cells[p]]
        rng.shuffle(empty)
        for own_eyes in (False, True) if fill else (False,):
            for p in empty:
                if self.eye(colour, p) == own_eyes and not self.illegal(colour, p, superko):
                    return p
        return None

    def place(self, vertices, colour):
        """Handicap stones."""
        for v in vertices:
            self.cells[self.point(v)] = colour
        self.seen = {bytes(self.cells)}

    def area(self, dead=()):
        """Black's and white's area and the number of neutral points, the dead stones taken off."""
        cells = bytearray(self.cells)
        for p in dead:
            cells[p] = EMPTY
        score, seen = [0, cells.count(BLACK), cells.count(WHITE)], set()
        for start in range(len(cells)):
            if cells[start] or start in seen:
                continue
            seen.add(start)
            todo, size, touches = [start], 0, set()
            while todo:
                size += 1
                for q in self.near[todo.pop()]:
                    if cells[q]:
                        touches.add(cells[q])
                    elif q not in seen:
                        seen.add(q)
                        todo.append(q)
            score[touches.pop() if len(touches) == 1 else 0] += size
        return score[BLACK], score[WHITE], score[0]


def margin(text):
    """A result such as B+3.5, W+7 or 0 as black's margin; None if it is something else."""
    t = text.strip().upper()
    if t in ("0", "DRAW", "JIGO"):
        return 0.0
    try:
        return float(t[2:]) * {"B+": 1, "W+": -1}[t[:2]]
    except (KeyError, ValueError):
        return None
