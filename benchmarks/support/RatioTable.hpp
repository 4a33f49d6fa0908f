#pragma once

#include <string>
#include <vector>

#include <ferry/benchmarks/support/Suite.hpp>

namespace bench {

/// A column of ratios between two contenders of a case. The cell is empty if the case lacks one of them.
struct RatioColumn {
    enum class Goal { AtMost, AtLeast };

    std::string name;     ///< the name by which goals refer to the column
    std::string title;    ///< the heading in the table
    std::string above;    ///< the ratio is the time of this contender ...
    std::string below;    ///< ... divided by the time of this one
    Goal goal = Goal::AtLeast;
};

/// The value that represents all rounds. Median: the median of times, and of the ratios within a round. Least: the least times. Least is
/// for ranks that wait for each other. Their rounds mean little when the machine gives a core to another process.
enum class RoundChoice { Median, Least };

/// Prints a table in Markdown. Each row has the time of one contender, the name of the limit, and the ratios to other contenders with their
/// goals.
class RatioTable {
public:
    /// Times are divided by unitNs. The unit is printed in the heading. Cases without the main contender are omitted.
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
