"""The tables of docs/benchmarks.md, made from the outputs that `benchmarks/measure` keeps.

The page has a mark before each table, `<!-- measured: NAME -->`, and `<!-- end -->` behind it. What lies between them is replaced.
"""
import datetime
import re

BLOCK = re.compile(r"(<!-- measured: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
LARGE_GRAPHS = ("full 512", "full 1024", "sparse 2^17", "ring 2^17", "tree 2^17")
TABLES = {}


class Problem(Exception):
    """What the page or an output lacks."""


class Outputs:
    """The kept outputs of a folder. Remembers which were read."""

    def __init__(self, folder):
        self.folder = folder
        self.heads = {}

    def text(self, name):
        """The output of a program."""
        try:
            head, _, text = (self.folder / f"{name}.txt").read_text(encoding="utf-8").partition("\n")
        except OSError as error:
            raise Problem(f"no output of {name}: run `benchmarks/measure --only {name}` ({error.strerror})") from error
        self.heads[name] = head.split("\t")
        return text

    def tables(self, name):
        """The Markdown tables of an output. A table is a list of rows, and a row is a dictionary from the title of a column to the cell."""
        tables, titles = [], None
        lines = [line.strip() for line in self.text(name).splitlines()]
        for line, following in zip(lines, lines[1:] + [""]):
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
            if cells is None:
                titles = None
            elif re.fullmatch(r"[|\s:-]+", following) and following.startswith("|"):
                titles = cells
                tables.append([])
            elif titles and not re.fullmatch(r"[|\s:-]+", line):
                tables[-1].append(dict(zip(titles, cells)))
        return tables

    def number(self, name, pattern):
        """The first group of a pattern in an output, as a number."""
        found = re.search(pattern, self.text(name))
        if not found:
            raise Problem(f"the output of {name} holds no {pattern}")
        return float(found.group(1))

    def days(self):
        """The days of the outputs that were read, the machine and the load, as a sentence of the page."""
        days = sorted({datetime.date.fromisoformat(head[0]) for head in self.heads.values()})
        names = [f"{day.day} {day:%B %Y}" for day in days]
        loads = [float(head[3].split()[1]) for head in self.heads.values()]
        machines = sorted({f"{head[1]}, {head[2]}" for head in self.heads.values()})
        return f"{' and '.join(names)}, {' and '.join(machines)}, load before each program {min(loads):.1f} to {max(loads):.1f}"


def table(name):
    """Declares the function that makes the lines of a table."""
    def declare(function):
        TABLES[name] = function
        return function
    return declare


def grid(titles, rows):
    """The lines of a Markdown table."""
    return ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|", *("| " + " | ".join(row) + " |" for row in rows)]


def leading(cell):
    """The number with which a cell begins."""
    found = re.match(r"-?[\d.]+", cell.replace(",", ""))
    if not found:
        raise Problem(f"a cell without a number: {cell!r}")
    return float(found.group())


def judged(value, most=None, least=None, form="{:.2f}"):
    """A value with its goal: at most, or at least."""
    text = form.format(value)
    if most is None and least is None:
        return text
    goal = most if most is not None else least
    isReached = value <= goal if most is not None else value >= goal
    return f"{text} ({goal:g})" if isReached else f"{text} (**missed**: {goal:g})"


def told(cell):
    """A cell whose program has judged it already: `1.20 (<= 1.1, missed)`."""
    return re.sub(r"\([<>]= ([\d.]+)(, missed)?\)", lambda m: f"(**missed**: {m.group(1)})" if m.group(2) else f"({m.group(1)})", cell)


def grouped(number):
    return f"{number:,.0f}"


def contest(rows, names=None, titles=None):
    """The rows of a table of contenders. names: the cases that are shown. titles: the columns that are shown, with their titles on the page."""
    first = next(iter(rows[0]))
    if titles is None:
        titles = {title: title.replace("ferry", "Ferry") for title in rows[0] if any(row[title] for row in rows)}
    shown = {title: name for title, name in titles.items() if any(row.get(title) for row in rows)}
    chosen = [row for row in rows if names is None or row[first] in names]
    if not chosen:
        raise Problem(f"an output has none of the cases {', '.join(names)}")
    return grid(list(shown.values()), [[told(row[title]) for title in shown] for row in chosen])


@table("serialization")
def serialization(outputs):
    return contest(outputs.tables("serialization")[0],
                   {"write an object of 10 ints", "write an object of 1000 ints", "read 10 ints into an object that is there",
                    "read 1000000 ints into a new object", "write 50 nested records", "read 50 nested records",
                    "write 10000 polymorphic objects", "read 10000 polymorphic objects", "write 50 nested records with versions",
                    "read 50 nested records with versions"})


@table("views")
def views(outputs):
    return contest(outputs.tables("views")[0],
                   {"pack 1 masses", "pack 10 masses", "pack 1000 masses", "unpack 1000 masses in place", "pack 100000 masses",
                    "pack a mass with 1000 neighbours", "pack 64 networks", "unpack 64 networks anew"})


@table("viewsSent")
def viewsSent(outputs):
    return contest(outputs.tables("viewsSent")[0],
                   {"send 1 masses", "send 1000 masses", "send 100000 masses", "send 256 blocks of 256 B", "send 4 blocks of 16 KiB",
                    "send 4096 blocks of 256 B", "send a mass with 1000 neighbours", "send 64 networks", "send results"})


@table("graphs")
def graphs(outputs):
    return contest(outputs.tables("graph")[0], LARGE_GRAPHS,
                   {"case": "graph", "ferry, us": "Ferry, us", "ferry / memcpy": "Ferry / memcpy of the bytes", "ferry / arena": "Ferry / Ferry with an arena",
                    "Boost / ferry (goal)": "Boost / Ferry", "cereal / ferry": "cereal / Ferry", "MEL buffered / ferry (goal)": "MEL / Ferry (goal)",
                    "MEL buffered / arena (goal)": "MEL / arena (goal)"})


@table("graphsSent")
def graphsSent(outputs):
    return contest(outputs.tables("graphSent")[0], [f"{way} {name}" for name in LARGE_GRAPHS for way in ("send", "broadcast")],
                   {"case": "graph", "ferry, us": "Ferry, us", "ferry / limit": "Ferry / MPI for the bytes", "ferry / arena": "Ferry / Ferry with an arena",
                    "Boost.MPI / ferry (goal)": "Boost.MPI / Ferry", "MEL / ferry": "MEL / Ferry"})


@table("scene")
def scene(outputs):
    return contest(outputs.tables("graphSent")[1])


@table("graphFiles")
def graphFiles(outputs):
    return contest(outputs.tables("graph")[1], [f"{way} {name}" for name in LARGE_GRAPHS for way in ("save", "load")],
                   {"case": "graph", "ferry, us": "Ferry, us", "ferry / limit (goal)": "Ferry / write and fsync (goal)",
                    "Boost / ferry (goal)": "Boost / Ferry", "cereal / ferry": "cereal / Ferry", "MEL / ferry": "MEL / Ferry"})


@table("files")
def files(outputs):
    goals = {"8,000 doubles": 1.3, "1,000,000 doubles": 1.3, "16,000,000 doubles": 1.3, "1,000,000 strings": 1.3}
    lines = re.findall(r"^\| (\S.*?) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+, ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| [\d.]+, ([\d.]+) \|",
                       outputs.text("files"), re.MULTILINE)
    return grid(["object", "MB", "write + fsync, ms", "`ferry::save`, ms", "ratio (goal)", "read, ms", "`ferry::load`, ms", "ratio"],
                [[*line[:4], judged(float(line[4]), most=goals[line[0]]), *line[5:]] for line in lines])


@table("messages")
def messages(outputs):
    goals = {4: 0.9, 64: 0.9, 1024: 0.9, 4096: 0.9, 1048576: 1.3, 67108864: 1.15}
    # Two columns of a program have one name, so its rows are read by position.
    def rowsOf(name):
        return [[float(cell) for cell in line.strip("| ").split("|")] for line in outputs.text(name).splitlines() if re.match(r"\| \d", line)]
    letters = {row[0]: row[3] for row in rowsOf("messagesByLetters")}
    return grid(["bytes", "plain MPI, us", "`receiveInto` / MPI (goal)", "`receive` / MPI", "Boost.MPI / MPI", "`receiveInto` / MPI, no shared memory"],
                [[grouped(row[0]), f"{row[1]:.3g}" if row[1] < 1000 else grouped(row[1]), judged(row[3], most=goals.get(row[0])), f"{row[5]:.2f}", f"{row[7]:.2f}",
                  f"{letters[row[0]]:.2f}"] for row in rowsOf("messages")])


@table("collectives")
def collectives(outputs):
    lines, names = [], None
    for ranks in (2, 4):
        cells = {}
        for row in outputs.tables(f"collectives{ranks}")[0]:
            size = int(row["bytes of a rank"])
            goal = 1.15 if size < 1024 else 1.02
            ratio = float(re.search(r"\(([\d.]+)\)", row["ferry, into memory"]).group(1))
            cells.setdefault(size, {})[row["collective"]] = judged(ratio, most=goal).replace(f" ({goal:g})", "")
        names = list(cells[4])
        lines += [[f"{ranks}, {sizeText(size)}", *(row[name] for name in names)] for size, row in cells.items()]
    return grid(["ranks, bytes", *names], lines)


def sizeText(size):
    return f"{size} B" if size < 1024 else f"{size // 1024} KiB" if size < 1 << 20 else f"{size >> 20} MiB"


@table("structs")
def structs(outputs):
    rows = outputs.tables("structs")[0]
    kinds = [title for title in rows[0] if title not in ("structs", "MPI_Allgather, us")]
    return grid(["structs", "MPI_Allgather, us", *kinds],
                [[row["structs"], row["MPI_Allgather, us"],
                  *(judged(leading(row[kind]), most=None if kind.startswith("MPI") else 1.2) for kind in kinds)] for row in rows])


@table("algorithms")
def algorithms(outputs):
    rows = outputs.tables("algorithms")[0]
    return grid(["task", "ranks", "how", "ms", "times the first"],
                [[row["what"], row["ranks"], row["how"], row["ms"],
                  judged(leading(row["times the first"]), most=1.05 if row["what"].startswith("sort") and "the example" in row["how"] else None)]
                 for row in rows])


@table("throws")
def throws(outputs):
    rows = next(rows for rows in outputs.tables("exceptions") if "median, ns" in rows[0])
    titles = list(rows[0])
    goal = {"recorded with its stack": 1.1, "recorded without its stack": 1.1}
    return grid(["what", "median, us", "fastest, us", "/ plain, median (goal)", "/ plain, fastest"],
                [[row[titles[0]], f"{leading(row[titles[1]]) / 1000:.1f}", f"{leading(row[titles[2]]) / 1000:.1f}",
                  judged(leading(row[titles[3]]), most=goal[row[titles[0]]]) if row[titles[3]] else "", row[titles[4]]] for row in rows])


@table("regions")
def regions(outputs):
    lines = []
    for name in ("regionsOnThreads", "regions2", "regions16"):
        for row in outputs.tables(name)[0]:
            isThreads = row["ranks as"] == "threads"
            lines.append([f"{row['ranks']} {'threads' if isThreads else 'processes'}",
                          judged(leading(row["first throw, out after ms"]), most=50 if isThreads else 1000, form="{:.0f}"), row["further ones: median"],
                          row["ratio"]])
    return grid(["ranks", "first throw, ms (goal)", "later throws, ms", "empty region / barrier"], lines)


@table("guard")
def guard(outputs):
    lines = []
    for row in outputs.tables("guard")[0]:
        isMessage = re.search(r"send|recv", row["operation"], re.IGNORECASE)
        lines.append([row["operation"], row["plain, us"], row["guarded, us"],
                      row["difference, us"] if isMessage else judged(leading(row["difference, us"].lstrip("+")), most=0.2),
                      judged(leading(row["ratio"]), most=1.02) if isMessage else row["ratio"], row["range of ratios"]])
    return grid(["operation", "plain, us", "guarded, us", "difference, us (goal)", "ratio (goal)", "range of ratios"], lines)


@table("jobs")
def jobs(outputs):
    def found(pattern):
        return outputs.number("jobs", pattern)
    before, after = found(r"memory of the master: (\d+) KiB"), found(r"tasks, (\d+) KiB after")
    return grid(["what", "Ferry (goal)"], [
        ["empty tasks in a second, `map`", grouped(found(r"empty tasks, map: (\d+)/s"))],
        ["empty tasks in a second, `submit` and `get`", grouped(found(r"empty tasks, submit and get: (\d+)/s"))],
        ["efficiency, tasks of 1 ms", judged(found(r"tasks of 1 ms: efficiency ([\d.]+)"), least=0.95, form="{:.3f}")],
        ["efficiency, tasks of 10 ms", f"{found(r'tasks of 10 ms: efficiency ([.0-9]+)'):.3f}"],
        ["efficiency, 0.2 ms, every 100th 20 ms", f"{found(r'1 in 100 of 20 ms: efficiency ([.0-9]+)'):.3f}"],
        ["payload of 1 MiB, GB/s", f"{found(r'payload of 1 MiB: ([.0-9]+) GB'):.2f}"],
        ["memory of the master after a million more tasks", judged(100 * (after / before - 1), most=5, form="{:.0f} % more")]])


@table("scale")
def scale(outputs):
    # The second program measures a smaller number of slaves, too.
    rows = outputs.tables("scale")[0] + [row for row in outputs.tables("scale100000")[0] if row["slaves"] == "100000"]
    goals = {"10000": 0.95, "100000": 0.9}
    return grid(["slaves", "a task", "tasks", "efficiency (goal)", "tasks in a second", "packets of the master a task", "master, us a task",
                 "share of time in which the master computes"],
                [[grouped(leading(row["slaves"])), f"{row['ms of a task']} ms", grouped(leading(row["tasks"])),
                  judged(leading(row["efficiency"]), least=goals.get(row["slaves"]), form="{:.3f}"), grouped(leading(row["tasks/s"])),
                  row["packets a task"], row["master, us a task"], row["share"]] for row in rows])


@table("startStop")
def startStop(outputs):
    return grid(["slaves", "phase", "packets of the master: sent, received", "packets of a slave at most", "simulated time, ms"],
                [[grouped(leading(row["slaves"])), row["phase"], f"{row['master sends']}, {row['master receives']}", row["a slave at most"],
                  row["simulated ms"]] for row in outputs.tables("startStop")[0]])


@table("compileTime")
def compileTime(outputs):
    goals = {"ferry/ferry.hpp": 1.0, "ferry/objects.hpp": 0.5, "README's program": 1.5}
    found = re.findall(r"^(\S.*?) {2,}([\d.]+) s +(\d+) MB +([\d.]+) +([\d.]+) of Boost.MPI", outputs.text("compileTime"), re.MULTILINE)
    return grid(["source", "user time, s", "memory, MB", "time / Boost.MPI (goal)", "memory / Boost.MPI"],
                [[f"`<{name}>`" if "." in name and " " not in name else name, seconds, megabytes, judged(float(ratio), most=goals.get(name)), memory]
                 for name, seconds, megabytes, ratio, memory in found])


@table("machine")
def machine(outputs):
    """The sentence on when and where. Made last, since it names the outputs that the other tables read."""
    return [f"Measured by `benchmarks/measure`: {outputs.days()}."]


def withTables(page, folder):
    """The page with all of its tables made anew."""
    outputs = Outputs(folder)
    names = [found.group(2) for found in BLOCK.finditer(page)]
    unknown = set(names) - set(TABLES)
    if unknown:
        raise Problem(f"docs/benchmarks.md has a mark of no table: {', '.join(sorted(unknown))}")
    made = {}
    for name in names:
        try:
            made[name] = "" if name == "machine" else "\n".join(TABLES[name](outputs))
        except (IndexError, KeyError, StopIteration) as error:
            raise Problem(f"an output has another form than the table {name} expects: {error!r}") from error
    if "machine" in names:
        made["machine"] = "\n".join(machine(outputs))
    return BLOCK.sub(lambda found: f"{found.group(1)}{made[found.group(2)]}\n{found.group(4)}", page)
