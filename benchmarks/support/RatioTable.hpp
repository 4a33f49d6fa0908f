#pragma once

#include <string>
#include <vector>

#include <ferry/benchmarks/support/Suite.hpp>

namespace bench {

/// A column of ratios between two contenders of a case; empty where a case lacks one of them.
struct RatioColumn {
    enum class Goal { AtMost, AtLeast };

    std::string name;     ///< what the goals of the cases call it
    std::string title;    ///< on the table
    std::string above;    ///< the contender whose time is divided ...
    std::string below;    ///< ... by the time of this one
    Goal goal = Goal::AtLeast;
};

/// What stands for all rounds: the median of times and of the ratios within a round; or the least times, for ranks that wait for each
/// other, whose rounds say little when the machine gives a core to somebody else.
enum class RoundChoice { Median, Least };

/// Prints a table in Markdown: of each case the time of one contender, what the limit is, and how others compare, with the goals.
class RatioTable {
public:
    /// Times are divided by unitNs; the unit is printed in the head. Cases without the main contender are left out.
    RatioTable(std::string mainContender, std::string unit, double unitNs, std::vector<RatioColumn> columns,
               RoundChoice choice = RoundChoice::Median);

    void printHead() const;
    void printRow(const Case& one) const;

private:
    std::string mainContender_;
    std::string unit_;
    double unitNs_;
    std::vector<RatioColumn> columns_;
    RoundChoice choice_;
};

}    // namespace bench
