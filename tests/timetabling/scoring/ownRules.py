"""The rules of teachers, of the order of lectures and of weekly times, written down once more, with random folders of tables to try them on.

Nothing here is shared with the program. The rules are those of apps/timetabling/README.md, "What a timetable costs".
"""
import os
from collections import namedtuple
from itertools import combinations

Week = namedtuple("Week", "days periods weeks lunch")
Made = namedtuple("Made", "week courses teachers limits orders students weights")

CONSTRAINTS = ["TeacherGaps", "TeacherDays", "TeacherLoad", "TeacherRow", "TeacherLunch", "LectureOrder", "WeeklyTime", "StudentClashes"]
MANY = 99


def make(random):
    weeks = random.choice([1, 2])
    week = Week(5 * weeks, random.randint(1, 6), weeks, None)
    week = week._replace(lunch={period for period in range(week.periods) if random.random() < 0.4})
    names = [f"t{i}" for i in range(random.randint(1, 4))]
    courses = {f"c{i}": random.randint(1, min(6, week.days * week.periods)) for i in range(random.randint(1, 6))}
    teachers = {course: random.sample(names, random.randint(1, min(2, len(names)))) for course in courses}
    teaching = sorted({name for of in teachers.values() for name in of})
    limits = {name: (random.randint(0, 4), random.randint(0, 3), random.randint(1, 3)) for name in teaching if random.random() < 0.7}
    orders = [tuple(random.sample(sorted(courses), 2)) for _ in range(random.randint(0, 4))] if len(courses) > 1 else []
    weights = {name: random.randint(1, 9) for name in CONSTRAINTS if random.random() < 0.7}
    students = [random.sample(sorted(courses), random.randint(1, len(courses))) for _ in range(random.randint(0, 5))]
    return Made(week, courses, teachers, limits, orders, students, weights)


def write(made, folder):
    def table(name, head, rows):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("".join(",".join(map(str, row)) + "\n" for row in [head, *rows]))
    week = made.week
    table("week.csv", ["name", "days", "days_per_week"], [["Made", week.days, 5]])
    table("periods.csv", ["period", "lunch"], [[f"p{period}", int(period in week.lunch)] for period in range(week.periods)])
    table("courses.csv", ["course", "teacher", "lectures", "students"],
          [[course, "; ".join(made.teachers[course]), lectures, 0] for course, lectures in made.courses.items()])
    table("rooms.csv", ["room", "seats"], [["r", 1]])
    table("teachers.csv", ["teacher", "max_days", "max_daily_lectures", "max_in_a_row"], [[name, *of] for name, of in made.limits.items()])
    table("enrolments.csv", ["student", "course"], [[f"s{i}", course] for i, of in enumerate(made.students) for course in of])
    table("order.csv", ["before", "after"], made.orders)


def writeWeights(made):
    return "constraint,weight\n" + "".join(f"{name},{weight}\n" for name, weight in made.weights.items())


def makeTimetable(made, random):
    places = [(day, period) for day in range(made.week.days) for period in range(made.week.periods)]
    return {course: random.sample(places, random.randint(0, lectures)) for course, lectures in made.courses.items()}


def writeTimetable(timetable):
    return "".join(f"{course} r {day} {period}\n" for course, times in timetable.items() for day, period in times)


def score(made, timetable):
    """Returns the cost of each constraint that has a weight."""
    counts = dict.fromkeys(CONSTRAINTS, 0)
    for name in {name for of in made.teachers.values() for name in of}:
        mostDays, mostDaily, mostInARow = made.limits.get(name, (MANY, MANY, MANY))
        lectures = [time for course, times in timetable.items() if name in made.teachers[course] for time in times]
        counts["TeacherDays"] += max(0, len({day for day, _ in lectures}) - mostDays)
        for day in range(made.week.days):
            ofDay = [period for one, period in lectures if one == day]
            busy = set(ofDay)
            counts["TeacherLoad"] += max(0, len(ofDay) - mostDaily)
            counts["TeacherGaps"] += sum(period not in busy for period in range(min(busy), max(busy))) if busy else 0
            line = "".join("x" if period in busy else " " for period in range(made.week.periods))
            counts["TeacherRow"] += sum(max(0, len(row) - mostInARow) for row in line.split())
            counts["TeacherLunch"] += bool(made.week.lunch) and made.week.lunch <= busy
    for before, after in made.orders:
        counts["LectureOrder"] += sum(late <= early for early in timetable[before] for late in timetable[after])
    for of in made.students:
        counts["StudentClashes"] += sum(len(set(timetable[one]) & set(timetable[other])) for one, other in combinations(of, 2))
    for times in timetable.values():
        for day, period in times:
            others = [(week * 5 + day % 5, period) for week in range(made.week.weeks)]
            counts["WeeklyTime"] += not set(others) <= set(times)
    return {name: weight * counts[name] for name, weight in made.weights.items()}
