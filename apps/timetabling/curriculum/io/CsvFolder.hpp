#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// Reads an instance from a folder of tables, for people without a .ctt file.
///
/// | file | columns; those in brackets may be left out |
/// |---|---|
/// | week.csv | [name, days, periods, min_daily_lectures, max_daily_lectures, days_per_week]: one row |
/// | courses.csv | course, teacher, lectures, students, [min_days, double, needs]: several teachers with a ';' between them |
/// | rooms.csv | room, seats, [building, features] |
/// | curricula.csv (may be left out) | curriculum, course: a row for each course of a curriculum |
/// | closed.csv (may be left out) | course, teacher or room, day, [period]: of a teacher all courses; without a period the whole day |
/// | unsuitable.csv (may be left out) | course, room |
/// | allowed.csv (may be left out) | course, room: all other rooms are unsuitable for the course |
/// | teachers.csv (may be left out) | teacher, [max_days, max_daily_lectures, max_in_a_row] |
/// | enrolments.csv (may be left out) | student, course: then courses.csv need not say how many students a course has |
/// | order.csv (may be left out) | before, after: two courses |
/// | days.csv (may be left out) | day, [offset]: the names of the days, and how many days after the first one each of them is |
/// | periods.csv (may be left out) | [period, begin, end, lunch]: the names and times of the periods; lunch: 1 or 0 |
///
/// Days and periods are names of days.csv and periods.csv, begins of periods, or numbers that count from 0.
/// In closed.csv, a span of times such as 08:15-11:00 means each period that is in it, also in part.
/// week.csv may be left out where days.csv and periods.csv are there. Names are compared as a whole, with capitals.
/// Instance::notes tells what is left out, what does not count, and what is a guess.
///
/// Errors: InputError with all errors of all tables, each in a line with file, line, column and cure. A file of the folder that looks like
///         a table and is none is an error as well.
Instance readCsvFolder(const std::string& path);

/// Returns one line for each part of the instance that the formulation does not count, such as rooms that do not suit.
/// 'hasTables' says that the parts have names of tables, and not of sections of an .ectt.
std::vector<std::string> uncountedParts(const Instance& instance, bool hasTables);

}    // namespace timetabling::curriculum
