"""The rules of curriculum-based timetabling, written down once more and as plainly as they read, with random instances and timetables to try them on.

After Di Gaspero, McCollum, Schaerf: The Second International Timetabling Competition (2007), and Bonutti et al.: Benchmarking curriculum-based course
timetabling (2012). Nothing here is fast, and nothing is shared with the program.
"""
from collections import defaultdict, namedtuple
from itertools import combinations

Course = namedtuple("Course", "name teacher lectures minDays students double")
Room = namedtuple("Room", "name seats building")
Instance = namedtuple("Instance", "courses rooms curricula closed unsuitable days periods leastLoad mostLoad")

WEIGHTS = {
    "UD1": {"MinWorkingDays": 5, "CurriculumCompactness": 1},
    "UD2": {"MinWorkingDays": 5, "CurriculumCompactness": 2, "RoomStability": 1},
    "UD3": {"Windows": 4, "DailyLoad": 2, "RoomSuitability": 3},
    "UD4": {"MinWorkingDays": 1, "CurriculumCompactness": 0, "Windows": 1, "DailyLoad": 1, "DoubleLectures": 1},
    "UD5": {"MinWorkingDays": 5, "CurriculumCompactness": 1, "Windows": 2, "DailyLoad": 2, "TravelDistance": 2},
}


def makeInstance(random):
    days, periods = random.randint(1, 5), random.randint(1, 6)
    teachers = [f"t{i}" for i in range(random.randint(1, 5))]
    courses = [Course(f"c{i}", random.choice(teachers), random.randint(1, min(5, days * periods)), random.randint(1, days), random.randint(1, 60),
                      random.randint(0, 1)) for i in range(random.randint(1, 8))]
    rooms = [Room(f"r{i}", random.randint(1, 60), random.randint(0, 2)) for i in range(random.randint(1, 4))]
    names = [course.name for course in courses]
    curricula = [random.sample(names, random.randint(1, min(4, len(names)))) for _ in range(random.randint(0, 4))]
    closed = {(random.choice(names), random.randrange(days), random.randrange(periods)) for _ in range(random.randint(0, 10))}
    # A course without enough open periods has no feasible timetable, but a timetable can still be scored.
    unsuitable = {(random.choice(names), random.choice(rooms).name) for _ in range(random.randint(0, 6))}
    least = random.randint(0, 3)
    return Instance(courses, rooms, curricula, closed, unsuitable, days, periods, least, least + random.randint(0, 3))


def writeInstance(instance):
    lines = ["Name: Made", f"Courses: {len(instance.courses)}", f"Rooms: {len(instance.rooms)}", f"Days: {instance.days}",
             f"Periods_per_day: {instance.periods}", f"Curricula: {len(instance.curricula)}",
             f"Min_Max_Daily_Lectures: {instance.leastLoad} {instance.mostLoad}", f"UnavailabilityConstraints: {len(instance.closed)}",
             f"RoomConstraints: {len(instance.unsuitable)}", "COURSES:"]
    lines += [" ".join(map(str, course)) for course in instance.courses]
    lines += ["ROOMS:", *(" ".join(map(str, room)) for room in instance.rooms), "CURRICULA:"]
    lines += [f"q{i} {len(names)} " + " ".join(names) for i, names in enumerate(instance.curricula)]
    lines += ["UNAVAILABILITY_CONSTRAINTS:", *(" ".join(map(str, one)) for one in sorted(instance.closed))]
    lines += ["ROOM_CONSTRAINTS:", *(" ".join(one) for one in sorted(instance.unsuitable)), "END.", ""]
    return "\n".join(lines)


def makeTimetable(instance, random):
    """Returns random lines: too many lectures, too few, and several in one place."""
    lines = []
    for course in instance.courses:
        count = course.lectures if random.random() < 0.7 else random.randint(0, course.lectures + 2)
        for _ in range(count):
            lines.append((course.name, random.choice(instance.rooms).name, random.randrange(instance.days), random.randrange(instance.periods)))
    random.shuffle(lines)
    return lines


def writeTimetable(lines):
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def score(instance, lines, formulation):
    """Returns the amount of each constraint by name."""
    weights = WEIGHTS[formulation]
    placed = {}    # the room by course, day and period; a second lecture of a course in a period does not count as a lecture
    for course, room, day, period in lines:
        placed.setdefault((course, day, period), room)
    times = {course.name: {(day, period) for name, day, period in placed if name == course.name} for course in instance.courses}
    counts = defaultdict(int)
    seats = {room.name: room.seats for room in instance.rooms}
    building = {room.name: room.building for room in instance.rooms}

    for one, other in combinations(instance.courses, 2):
        together = any(one.name in names and other.name in names for names in instance.curricula)
        if together or one.teacher == other.teacher:
            counts["Conflicts"] += len(times[one.name] & times[other.name])
    inRoom = defaultdict(int)
    for (_, day, period), room in placed.items():
        inRoom[room, day, period] += 1
    counts["RoomOccupancy"] = sum(number - 1 for number in inRoom.values())
    counts["Availability"] = sum(key in instance.closed for key in placed)

    for course in instance.courses:
        mine = times[course.name]
        counts["Lectures"] += abs(len(mine) - course.lectures)
        counts["RoomCapacity"] += sum(max(0, course.students - seats[placed[(course.name, *time)]]) for time in mine)
        counts["MinWorkingDays"] += max(0, course.minDays - len({day for day, _ in mine}))
        counts["RoomStability"] += max(0, len({placed[(course.name, *time)] for time in mine}) - 1)
        counts["RoomSuitability"] += sum((course.name, placed[(course.name, *time)]) in instance.unsuitable for time in mine)
        if course.double:
            for day in range(instance.days):
                periods = sorted(period for one, period in mine if one == day)
                isNext = lambda a, b: abs(a - b) == 1 and placed[course.name, day, a] == placed[course.name, day, b]
                if len(periods) > 1:
                    counts["DoubleLectures"] += sum(not any(isNext(a, b) for b in periods) for a in periods)

    for names in instance.curricula:
        for day in range(instance.days):
            lectures = [(period, placed[name, day, period]) for name in names for one, period in times[name] if one == day]
            busy = {period for period, _ in lectures}
            counts["CurriculumCompactness"] += sum(period - 1 not in busy and period + 1 not in busy for period in busy)
            if busy:
                counts["Windows"] += max(busy) - min(busy) + 1 - len(busy)
                counts["DailyLoad"] += max(0, instance.leastLoad - len(lectures)) + max(0, len(lectures) - instance.mostLoad)
            counts["TravelDistance"] += sum(b - a == 1 and building[one] != building[other] for a, one in lectures for b, other in lectures)

    isSuitabilityHard = formulation == "UD4"
    shown = {name: counts[name] for name in ("Lectures", "Conflicts", "Availability", "RoomOccupancy", "RoomCapacity")}
    shown.update({name: weight * counts[name] for name, weight in weights.items() if weight})
    if isSuitabilityHard:
        shown["RoomSuitability"] = counts["RoomSuitability"]
    hard = {"Lectures", "Conflicts", "Availability", "RoomOccupancy"} | ({"RoomSuitability"} if isSuitabilityHard else set())
    return shown, sum(value for name, value in shown.items() if name in hard), sum(value for name, value in shown.items() if name not in hard)
