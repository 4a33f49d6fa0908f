"""The rules of post-enrolment timetabling, written down once more and as plainly as they read, with random instances and timetables to try them on.

After the rules of the International Timetabling Competition of 2002, and Lewis, Paechter, McCollum: Post enrolment based course timetabling (2007), for
its second one. Nothing here is fast, and nothing is shared with the program.
"""
from collections import namedtuple
from itertools import combinations

DAYS, PERIODS = 5, 9

Instance = namedtuple("Instance", "seats attends roomHas needs isOpen before")    # isOpen and before are None by the rules of 2002


def makeInstance(random, hasSecondRules):
    events, rooms, features, students = random.randint(1, 12), random.randint(1, 4), random.randint(0, 3), random.randint(1, 10)
    bits = lambda rows, columns, share: [[int(random.random() < share) for _ in range(columns)] for _ in range(rows)]
    before = None
    if hasSecondRules:
        before = [[0] * events for _ in range(events)]
        order = random.sample(range(events), events)
        for _ in range(random.randint(0, events // 2)):
            if events > 1:
                first, second = sorted(random.sample(range(events), 2), key=order.index)
                before[first][second], before[second][first] = 1, -1
    return Instance([random.randint(1, 6) for _ in range(rooms)], bits(students, events, 0.4), bits(rooms, features, 0.6), bits(events, features, 0.3),
                    bits(events, DAYS * PERIODS, 0.8) if hasSecondRules else None, before)


def writeInstance(instance):
    sizes = [len(instance.needs), len(instance.seats), len(instance.roomHas[0]), len(instance.attends)]
    words = [*sizes, *instance.seats]
    for matrix in (instance.attends, instance.roomHas, instance.needs, instance.isOpen or [], instance.before or []):
        for row in matrix:
            words += row
    return "\n".join(map(str, words)) + "\n"


def makeTimetable(instance, random):
    """Returns random places, close together, so that many constraints are violated."""
    most = random.choice([3, 12, DAYS * PERIODS])
    lines = []
    for _ in instance.needs:
        isLeftOut = random.random() < 0.15
        lines.append((-1, -1) if isLeftOut else (random.randrange(most), random.randrange(len(instance.seats)) if random.random() < 0.95 else -1))
    return lines


def writeTimetable(lines):
    return "".join(f"{period} {room}\n" for period, room in lines)


def score(instance, lines):
    """Returns the amount of each constraint by name; then violations, distance to feasibility and cost."""
    hasSecondRules = instance.isOpen is not None
    students = [{student for student, row in enumerate(instance.attends) if row[event]} for event in range(len(lines))]
    hard = ("StudentClashes", "RoomOccupancy", "RoomSuitability", "Availability", "Precedence")
    soft = ("LastPeriod", "ConsecutiveEvents", "SingleEvent")
    counts = dict.fromkeys(("Unplaced", *hard, *soft), 0)
    for event, (period, room) in enumerate(lines):
        if period < 0:
            counts["Unplaced"] += len(students[event]) if hasSecondRules else 1
            continue
        lacks = room >= 0 and any(need and not has for need, has in zip(instance.needs[event], instance.roomHas[room]))
        if room < 0 or instance.seats[room] < len(students[event]) or lacks:
            counts["RoomSuitability"] += 1
        if hasSecondRules and not instance.isOpen[event][period]:
            counts["Availability"] += 1
    for one, other in combinations(range(len(lines)), 2):
        (period, room), (otherPeriod, otherRoom) = lines[one], lines[other]
        if period < 0 or otherPeriod < 0:
            continue
        if period == otherPeriod:
            shared = len(students[one] & students[other])
            counts["StudentClashes"] += min(shared, 1) if hasSecondRules else shared
            counts["RoomOccupancy"] += room == otherRoom and room >= 0
        if hasSecondRules:
            counts["Precedence"] += (instance.before[one][other] == 1 and period >= otherPeriod) or (
                instance.before[other][one] == 1 and otherPeriod >= period)
    for student in range(len(instance.attends)):
        for day in range(DAYS):
            busy = [any(lines[event][0] == day * PERIODS + i and student in students[event] for event in range(len(lines))) for i in range(PERIODS)]
            counts["LastPeriod"] += busy[-1]
            counts["SingleEvent"] += sum(busy) == 1
            counts["ConsecutiveEvents"] += sum(busy[i] and busy[i + 1] and busy[i + 2] for i in range(PERIODS - 2))
    return counts, sum(counts[name] for name in hard), counts["Unplaced"], sum(counts[name] for name in soft)
