#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace timetabling {

/// One thing that is wrong with a timetable.
struct Finding {
    std::string constraint;
    bool isHard = false;
    std::int64_t amount = 0;    ///< violations, or what it costs
    std::string subject;        ///< whom it concerns: "curriculum Law-1a"
    std::string text;           ///< in words
};

/// What an examination of a timetable tells.
struct Examination {
    std::vector<Finding> findings;    ///< in the order of the constraints
    std::string score;                ///< a table, then a line that sums it up
    bool isFeasible = false;
};

}    // namespace timetabling
