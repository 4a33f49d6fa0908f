#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace timetabling {

/// One violation in a timetable.
struct Finding {
    std::string constraint;
    bool isHard = false;
    std::int64_t amount = 0;    ///< number of violations, or cost
    std::string subject;        ///< the affected item: "curriculum Law-1a"
    std::string text;           ///< description in words
};

/// The result of an examination of a timetable.
struct Examination {
    std::vector<Finding> findings;    ///< in the order of the constraints
    std::string score;                ///< a table, and a last line with the summary
    bool isFeasible = false;
};

}    // namespace timetabling
