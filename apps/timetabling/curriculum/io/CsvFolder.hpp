#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// Reads an instance from a folder of tables, for people without a .ctt file. Days and periods count from 0.
///
/// | file | columns; those in brackets may be left out |
/// |---|---|
/// | week.csv | name, days, periods, [min_daily_lectures, max_daily_lectures]: one row |
/// | courses.csv | course, teacher, lectures, min_days, students, [double] |
/// | rooms.csv | room, seats, [building] |
/// | curricula.csv (may be left out) | curriculum, course: a row for each course of a curriculum |
/// | closed.csv (may be left out) | course or teacher, day, [period]: of a teacher all courses; without a period the whole day |
/// | unsuitable.csv (may be left out) | course, room |
///
/// Errors: InputError with file, line and column.
Instance readCsvFolder(const std::string& path);

struct NamedText {
    std::string fileName;
    std::string text;
};

/// Returns the tables from which readCsvFolder() reads the same instance.
std::vector<NamedText> writeCsvTables(const Instance& instance);

}    // namespace timetabling::curriculum
