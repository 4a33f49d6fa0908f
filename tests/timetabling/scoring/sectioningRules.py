"""The rules of ITC-2019 as its description of the data format has them, written without a look at the program; random instances, and random
timetables that are mostly invalid."""
import xml.etree.ElementTree as ET

PAIRS = ("SameStart", "SameTime", "DifferentTime", "SameDays", "DifferentDays", "SameWeeks", "DifferentWeeks", "Overlap", "NotOverlap",
         "SameRoom", "DifferentRoom", "SameAttendees", "Precedence", "WorkDay", "MinGap")
SETS = ("MaxDays", "MaxDayLoad", "MaxBreaks", "MaxBlock")
PARAMETERS = {"WorkDay": 1, "MinGap": 1, "MaxDays": 1, "MaxDayLoad": 1, "MaxBreaks": 2, "MaxBlock": 2}


# ---- random instances -------------------------------------------------------------------------------------------------------------------

def bits(chance, count, share, atLeastOne=True):
    text = "".join("1" if chance.random() < share else "0" for _ in range(count))
    if atLeastOne and "1" not in text:
        position = chance.randrange(count)
        text = text[:position] + "1" + text[position + 1:]
    return text


def makeTime(chance, root):
    days, weeks, slots = (int(root.get(name)) for name in ("nrDays", "nrWeeks", "slotsPerDay"))
    length = chance.randint(1, max(1, slots // 4))
    return {"days": bits(chance, days, 0.3), "weeks": "1" * weeks if chance.random() < 0.4 else bits(chance, weeks, 0.5),
            "start": str(chance.randint(0, slots - length)), "length": str(length)}


def makeInstance(chance, size=1.0):
    """Returns the root element of a small instance. All kinds of distributions come up, hard and soft."""
    root = ET.Element("problem", name=f"random-{chance.randrange(10 ** 6)}", nrDays=str(chance.randint(3, 7)), nrWeeks=str(chance.randint(1, 5)),
                      slotsPerDay=str(chance.choice((12, 24, 40))))
    ET.SubElement(root, "optimization", {name: str(chance.randint(0, 5)) for name in ("time", "room", "distribution", "student")})
    rooms = ET.SubElement(root, "rooms")
    roomCount = chance.randint(1, max(1, int(5 * size)))
    for i in range(roomCount):
        room = ET.SubElement(rooms, "room", id=f"R{i}", capacity=str(chance.randint(5, 50)))
        for other in range(i):
            if chance.random() < 0.5:
                ET.SubElement(room, "travel", room=f"R{other}", value=str(chance.randint(1, 4)))
        if chance.random() < 0.4:
            ET.SubElement(room, "unavailable", makeTime(chance, root))
    courses = ET.SubElement(root, "courses")
    classIds = []
    courseCount = chance.randint(1, max(1, int(5 * size)))
    configCount = subpartCount = 0
    for courseNumber in range(courseCount):
        course = ET.SubElement(courses, "course", id=f"course {courseNumber}")
        for _ in range(chance.randint(1, 2)):
            configCount += 1
            config = ET.SubElement(course, "config", id=f"{configCount}")
            above = []
            for _ in range(chance.randint(1, 3)):
                subpartCount += 1
                subpart = ET.SubElement(config, "subpart", id=f"{subpartCount}")
                linked = bool(above) and chance.random() < 0.5
                here = []
                for _ in range(chance.randint(1, 3)):
                    identity = f"c{len(classIds) + 1}"
                    classIds.append(identity)
                    here.append(identity)
                    one = ET.SubElement(subpart, "class", id=identity)
                    if chance.random() < 0.85:
                        one.set("limit", str(chance.randint(1, 6)))
                    if linked:
                        one.set("parent", chance.choice(above))
                    if chance.random() < 0.2:
                        one.set("room", "false")
                    else:
                        for room in chance.sample(range(roomCount), chance.randint(1, roomCount)):
                            ET.SubElement(one, "room", id=f"R{room}", penalty=str(chance.choice((0, 0, 1, 5))))
                    seen = set()
                    for _ in range(chance.randint(1, 5)):
                        time = makeTime(chance, root)
                        key = time["days"], time["weeks"], time["start"]
                        if key not in seen:
                            seen.add(key)
                            ET.SubElement(one, "time", time, penalty=str(chance.choice((0, 0, 2, 7))))
                above = here
    distributions = ET.SubElement(root, "distributions")
    slots = int(root.get("slotsPerDay"))
    for _ in range(chance.randint(0, 14)):
        name = chance.choice(PAIRS + SETS * 2)
        numbers = {"WorkDay": [chance.randint(1, slots)], "MinGap": [chance.randint(0, slots // 3)], "MaxDays": [chance.randint(1, 4)],
                   "MaxDayLoad": [chance.randint(1, slots // 2)], "MaxBreaks": [chance.randint(0, 2), chance.randint(0, slots // 6)],
                   "MaxBlock": [chance.randint(1, slots // 2), chance.randint(0, slots // 6)]}.get(name, [])
        element = ET.SubElement(distributions, "distribution", type=name + (f"({','.join(map(str, numbers))})" if numbers else ""))
        if chance.random() < 0.4:
            element.set("required", "true")
        else:
            element.set("penalty", str(chance.randint(0, 9)))
        for identity in chance.sample(classIds, min(len(classIds), chance.randint(1, 6))):
            ET.SubElement(element, "class", id=identity)
    students = ET.SubElement(root, "students")
    for i in range(chance.randint(0, int(8 * size))):
        student = ET.SubElement(students, "student", id=f"S{i}")
        for number in chance.sample(range(courseCount), chance.randint(1, min(3, courseCount))):
            ET.SubElement(student, "course", id=f"course {number}")
    return root


def makeSolvable(chance, courseCount):
    """Returns the root element of an instance like those of a university, and a feasible timetable of it: first comes the timetable, and
    each hard constraint is one that the timetable keeps."""
    days, weeks, slots = 5, 13, 144    # slots of 10 minutes
    root = ET.Element("problem", name=f"solvable-{courseCount}", nrDays=str(days), nrWeeks=str(weeks), slotsPerDay=str(slots))
    ET.SubElement(root, "optimization", time="2", room="1", distribution="3", student="5")
    rooms = ET.SubElement(root, "rooms")
    roomCount = 3 + courseCount // 5
    for i in range(roomCount):
        room = ET.SubElement(rooms, "room", id=str(i + 1), capacity="60")
        for other in range(i):
            if i % 3 != other % 3:    # three buildings
                ET.SubElement(room, "travel", room=str(other + 1), value=str(1 + abs(i % 3 - other % 3)))
    patterns = [("10100", 9), ("01010", 9), ("10000", 12), ("01000", 12), ("00100", 12), ("00010", 12), ("00001", 18)]
    spans = ["1" * weeks, "1" * weeks, "1" * 7 + "0" * 6, "0" * 7 + "1" * 6, "1010101010101"]
    starts = list(range(48, 120, 3))

    def anyTime(length=None, weekBits=None):
        pattern, usual = chance.choice(patterns)
        return {"days": pattern, "start": str(chance.choice(starts)), "length": str(length or usual), "weeks": weekBits or chance.choice(spans)}

    courses = ET.SubElement(root, "courses")
    taken = {i: [] for i in range(roomCount)}
    planted, elements = {}, {}
    number = 0
    for course in range(courseCount):
        courseElement = ET.SubElement(courses, "course", id=str(course + 1))
        config = ET.SubElement(courseElement, "config", id=str(course + 1))
        lectures = []
        for part, count in enumerate((1, chance.choice((0, 2, 3)))):
            if not count:
                continue
            subpart = ET.SubElement(config, "subpart", id=f"{course + 1}.{part}")
            for _ in range(count):
                number += 1
                identity = str(number)
                one = ET.SubElement(subpart, "class", id=identity, limit=str(40 if part == 0 else 40 // count + 2))
                if part and chance.random() < 0.5:
                    one.set("parent", lectures[0])
                if part == 0:
                    lectures.append(identity)
                while True:    # a place that is free
                    time, room = anyTime(), chance.randrange(roomCount)
                    if not any(overlap(Meeting(time), Meeting(other)) for other in taken[room]):
                        break
                taken[room].append(time)
                planted[identity] = (time, str(room + 1))
                elements[identity] = one
                options = sorted({room} | set(chance.sample(range(roomCount), min(roomCount, 5))))
                for option in options:
                    ET.SubElement(one, "room", id=str(option + 1), penalty=str(chance.choice((0, 0, 1, 4))))
                times = [time] + [anyTime(time["length"], time["weeks"]) for _ in range(chance.randint(3, 25))]
                unique = {(t["days"], t["start"], t["weeks"]): t for t in reversed(times)}
                for option in sorted(unique.values(), key=lambda t: (t["days"], t["start"])):
                    ET.SubElement(one, "time", option, penalty=str(chance.choice((0, 0, 2, 5))))
    for i, times in taken.items():    # rooms are closed where the timetable does not need them
        for _ in range(2):
            time = {"days": "00100", "start": str(chance.choice(starts)), "length": "12", "weeks": "1" * weeks}
            if not any(overlap(Meeting(time), Meeting(other)) for other in times):
                ET.SubElement(rooms[i], "unavailable", time)
    travels = travelTimes(root)
    meetings = {identity: Meeting(time, room) for identity, (time, room) in planted.items()}
    distributions = ET.SubElement(root, "distributions")
    identities = list(planted)
    for _ in range(3 * len(identities)):
        name = chance.choice(PAIRS + ("SameAttendees", "NotOverlap") * 3 + SETS)
        numbers = {"WorkDay": [60], "MinGap": [6], "MaxDays": [3], "MaxDayLoad": [36], "MaxBreaks": [1, 6], "MaxBlock": [30, 3]}.get(name, [])
        members = chance.sample(identities, min(len(identities), chance.choice((2, 2, 3, 4, 8))))
        here = [meetings[member] for member in members]
        if name in PAIRS:
            amount = sum(1 for i, a in enumerate(here) for b in here[i + 1:] if not satisfied(name, numbers, a, b, travels))
        else:
            amount = overLimit(name, numbers, here, days, weeks)
        if amount and chance.random() < 0.8:
            continue    # few of the soft ones are violated
        element = ET.SubElement(distributions, "distribution", type=name + (f"({','.join(map(str, numbers))})" if numbers else ""))
        isHard = amount == 0 and chance.random() < 0.6
        element.set(*("required", "true") if isHard else ("penalty", str(chance.randint(1, 8))))
        for member in members:
            ET.SubElement(element, "class", id=member)
    students = ET.SubElement(root, "students")
    attending = {identity: [] for identity in identities}
    seats = {course: 40 for course in range(courseCount)}
    for i in range(8 * courseCount):
        program = i % max(1, courseCount // 6)
        wanted = [c for c in {(program * 6 + k) % courseCount for k in chance.sample(range(7), 4)} | {chance.randrange(courseCount)} if seats[c] > 0]
        if not wanted:
            continue
        student = ET.SubElement(students, "student", id=str(i + 1))
        for course in sorted(wanted):
            seats[course] -= 1
            ET.SubElement(student, "course", id=str(course + 1))
            for subpart in courses[course][0]:
                freest = min((one.get("id") for one in subpart), key=lambda identity: len(attending[identity]))
                attending[freest].append(str(i + 1))
    solution = ET.Element("solution", name=root.get("name"))
    for identity, (time, room) in planted.items():
        element = ET.SubElement(solution, "class", id=identity, days=time["days"], start=time["start"], weeks=time["weeks"], room=room)
        for member in attending[identity]:
            ET.SubElement(element, "student", id=member)
    return root, solution


def makeTimetable(root, chance):
    """Returns the root element of a timetable. Classes, times, rooms and students are missing or wrong now and then."""
    solution = ET.Element("solution", name=root.get("name"), runtime="0.1", cores="1", technique="chance", author="-", institution="-", country="-")
    wrong = chance.choice((0.0, 0.0, 0.05))
    attending = {}
    for student in root.iter("student"):
        for wish in student.iter("course"):
            course = next(course for course in root.find("courses") if course.get("id") == wish.get("id"))
            config = chance.choice(course.findall("config"))
            # Parents are kept most of the time: the last subpart decides about the ones above.
            forced = {}
            for subpart in reversed(config.findall("subpart")):
                classes = subpart.findall("class")
                if chance.random() < wrong:
                    continue
                one = next((c for c in classes if c.get("id") in forced), None) or chance.choice(classes)
                if one.get("parent"):
                    forced[one.get("parent")] = True
                attending.setdefault(one.get("id"), []).append(student.get("id"))
    studentIds = [student.get("id") for student in root.find("students")]
    for one in root.iter("class"):
        if one.find("time") is None or chance.random() < wrong:
            continue
        element = ET.SubElement(solution, "class", id=one.get("id"))
        time = chance.choice(one.findall("time"))
        for name in ("days", "start", "weeks"):
            element.set(name, time.get(name))
        if chance.random() < wrong:
            element.set("start", str((int(time.get("start")) + 1) % int(root.get("slotsPerDay"))))
        if one.get("room") != "false" and chance.random() >= wrong:
            element.set("room", chance.choice([room.get("id") for room in root.find("rooms")] if chance.random() < wrong
                                              else [room.get("id") for room in one.findall("room")]))
        members = attending.get(one.get("id"), [])
        if studentIds and chance.random() < wrong:
            members = sorted(set(members) | {chance.choice(studentIds)})
        for member in members:
            ET.SubElement(element, "student", id=member)
    return solution


# ---- the score --------------------------------------------------------------------------------------------------------------------------

class Meeting:
    """A class with its time and its room, or a time when a room is closed."""

    def __init__(self, time, room=None):
        self.days = {day for day, digit in enumerate(time.get("days")) if digit == "1"}
        self.weeks = {week for week, digit in enumerate(time.get("weeks")) if digit == "1"}
        self.start = int(time.get("start"))
        self.length = int(time.get("length"))
        self.end = self.start + self.length
        self.room = room

    def meetsOn(self, day, week):
        return day in self.days and week in self.weeks


def disjoint(a, b):
    return not a.days & b.days or not a.weeks & b.weeks


def overlap(a, b):
    return b.start < a.end and a.start < b.end and bool(a.days & b.days) and bool(a.weeks & b.weeks)


def travelTimes(root):
    times = {}
    for room in root.find("rooms"):
        for travel in room.findall("travel"):
            times[room.get("id"), travel.get("room")] = times[travel.get("room"), room.get("id")] = int(travel.get("value"))
    return times


def canAttend(a, b, travels):
    way = travels.get((a.room, b.room), 0) if a.room is not None and b.room is not None else 0
    return a.end + way <= b.start or b.end + way <= a.start or disjoint(a, b)


def satisfied(name, numbers, a, b, travels):
    """Whether the pair keeps the constraint; a is listed before b."""
    if name == "SameStart":
        return a.start == b.start
    if name == "SameTime":
        return (a.start <= b.start and b.end <= a.end) or (b.start <= a.start and a.end <= b.end)
    if name == "DifferentTime":
        return a.end <= b.start or b.end <= a.start
    if name == "SameDays":
        return a.days | b.days in (a.days, b.days)
    if name == "DifferentDays":
        return not a.days & b.days
    if name == "SameWeeks":
        return a.weeks | b.weeks in (a.weeks, b.weeks)
    if name == "DifferentWeeks":
        return not a.weeks & b.weeks
    if name == "Overlap":
        return overlap(a, b)
    if name == "NotOverlap":
        return a.end <= b.start or b.end <= a.start or disjoint(a, b)
    # The format says nothing about rooms of classes without one: there is nothing to compare.
    if name == "SameRoom":
        return None in (a.room, b.room) or a.room == b.room
    if name == "DifferentRoom":
        return None in (a.room, b.room) or a.room != b.room
    if name == "SameAttendees":
        return canAttend(a, b, travels)
    if name == "Precedence":
        first, second = min(a.weeks), min(b.weeks)
        if first != second:
            return first < second
        first, second = min(a.days), min(b.days)
        return first < second if first != second else a.end <= b.start
    if name == "WorkDay":
        return disjoint(a, b) or max(a.end, b.end) - min(a.start, b.start) <= numbers[0]
    assert name == "MinGap"
    return disjoint(a, b) or a.end + numbers[0] <= b.start or b.end + numbers[0] <= a.start


def mergedBlocks(meetings, gap):
    """Merges any two blocks that overlap or are at most the gap apart, until there are none. A block is (start, end, number of classes)."""
    blocks = [(meeting.start, meeting.end, 1) for meeting in meetings]
    isMerged = True
    while isMerged:
        isMerged = False
        for i in range(len(blocks)):
            for k in range(i + 1, len(blocks)):
                a, b = blocks[i], blocks[k]
                if a[1] + gap >= b[0] and b[1] + gap >= a[0]:
                    blocks[i] = min(a[0], b[0]), max(a[1], b[1]), a[2] + b[2]
                    del blocks[k]
                    isMerged = True
                    break
            if isMerged:
                break
    return blocks


def overLimit(name, numbers, meetings, dayCount, weekCount):
    if name == "MaxDays":
        return max(0, len(set().union(*[meeting.days for meeting in meetings])) - numbers[0])
    total = 0
    for week in range(weekCount):
        for day in range(dayCount):
            here = [meeting for meeting in meetings if meeting.meetsOn(day, week)]
            if name == "MaxDayLoad":
                total += max(0, sum(meeting.length for meeting in here) - numbers[0])
            elif name == "MaxBreaks":
                total += max(0, len(mergedBlocks(here, numbers[1])) - 1 - numbers[0])
            else:
                total += sum(1 for start, end, count in mergedBlocks(here, numbers[1]) if count > 1 and end - start > numbers[0])
    return total


def score(root, solution):
    """Returns the violations by constraint, the four sums without weights, and the cost."""
    dayCount, weekCount = int(root.get("nrDays")), int(root.get("nrWeeks"))
    travels = travelTimes(root)
    hard = dict.fromkeys(("ClassTime", "ClassRoom", "RoomOverlap", "RoomClosed", "StudentCourse", "ClassLimit"), 0)
    sums = dict.fromkeys(("time", "room", "distribution", "student"), 0)
    given = {element.get("id"): element for element in solution}
    classes = {one.get("id"): one for courses in (root.find("courses"),) for one in courses.iter("class")}
    meetings = {}
    for identity, one in classes.items():
        element = given.get(identity)
        time = None
        if element is not None:
            time = next((t for t in one.findall("time") if all(t.get(n) == element.get(n) for n in ("days", "start", "weeks"))), None)
        room = None
        if element is not None and element.get("room") is not None:
            room = next((r for r in one.findall("room") if r.get("id") == element.get("room")), None)
        if one.get("room") != "false" and room is None:
            hard["ClassRoom"] += 1
        if room is not None:
            sums["room"] += int(room.get("penalty"))
        if time is None:
            hard["ClassTime"] += 1
        else:
            sums["time"] += int(time.get("penalty"))
            meetings[identity] = Meeting(time, None if room is None else room.get("id"))

    placed = list(meetings.values())
    for i, a in enumerate(placed):
        hard["RoomOverlap"] += sum(1 for b in placed[i + 1:] if a.room is not None and a.room == b.room and overlap(a, b))
    closings = {room.get("id"): [Meeting(time) for time in room.findall("unavailable")] for room in root.find("rooms")}
    for meeting in placed:
        if meeting.room is not None and any(overlap(meeting, closing) for closing in closings[meeting.room]):
            hard["RoomClosed"] += 1

    for distribution in root.find("distributions"):
        name, _, rest = distribution.get("type").partition("(")
        numbers = [int(number) for number in rest.rstrip(")").split(",") if number]
        here = [meetings[member.get("id")] for member in distribution if member.get("id") in meetings]
        if name in PAIRS:
            amount = sum(1 for i, a in enumerate(here) for b in here[i + 1:] if not satisfied(name, numbers, a, b, travels))
        else:
            amount = overLimit(name, numbers, here, dayCount, weekCount)
        if distribution.get("required") == "true":
            hard[f"Required{name}"] = hard.get(f"Required{name}", 0) + amount
        else:
            penalty = int(distribution.get("penalty")) * amount
            sums["distribution"] += penalty // weekCount if name in ("MaxDayLoad", "MaxBreaks", "MaxBlock") else penalty

    attending = {student.get("id"): set() for student in root.find("students")}
    for identity, element in given.items():
        members = [member.get("id") for member in element]
        for member in members:
            attending[member].add(identity)
        limit = classes[identity].get("limit")
        if limit is not None:
            hard["ClassLimit"] += max(0, len(members) - int(limit))
    courses = {course.get("id"): course for course in root.find("courses")}
    for student in root.find("students"):
        mine = attending[student.get("id")]
        wanted = [wish.get("id") for wish in student]
        for identity, course in courses.items():
            ofCourse = {one.get("id") for one in course.iter("class")} & mine
            if identity in wanted:
                hard["StudentCourse"] += 0 if any(isSection(config, ofCourse) for config in course) else 1
            elif ofCourse:
                hard["StudentCourse"] += 1
        here = [meetings[identity] for identity in sorted(mine) if identity in meetings]
        sums["student"] += sum(1 for i, a in enumerate(here) for b in here[i + 1:] if not canAttend(a, b, travels))
    weights = root.find("optimization")
    return hard, sums, sum(int(weights.get(name)) * sums[name] for name in sums)


def isSection(config, attended):
    """Whether the classes are one of each subpart of the configuration, each with its parent."""
    for subpart in config:
        if len({one.get("id") for one in subpart} & attended) != 1:
            return False
    if len(attended) != len(config):
        return False
    return all(one.get("parent") is None or one.get("parent") in attended for one in config.iter("class") if one.get("id") in attended)


def textOf(element):
    ET.indent(element)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(element, encoding="unicode") + "\n"
