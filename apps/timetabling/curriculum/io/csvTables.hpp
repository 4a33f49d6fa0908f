#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

struct NamedText {
    std::string fileName;
    std::string text;
};

/// Returns the tables from which readCsvFolder() reads the same instance. Features of rooms become rows of unsuitable.csv.
std::vector<NamedText> writeCsvTables(const Instance& instance);

}    // namespace timetabling::curriculum
