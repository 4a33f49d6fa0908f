#include <ferry/benchmarks/serialization/Table.hpp>

#include <cstdio>

#include <fmt/format.h>

#include <ferry/benchmarks/support/RatioTable.hpp>

namespace bench {

void printRatios(const Suite& suite) {
    const RatioTable table("ferry", "ns", 1,
                           {{"limit", "ferry / limit (goal)", "ferry", "limit", RatioColumn::Goal::AtMost},
                            {"cereal", "cereal / ferry (goal)", "cereal", "ferry"},
                            {"Boost", "Boost / ferry (goal)", "Boost", "ferry"}});
    table.printHead();
    for (const Case& one : suite.cases()) table.printRow(one);
}

void printBytes(const StreamBytes& bytes) {
    for (const auto& [caseName, contenders] : bytes) {
        std::string line = fmt::format("\n{}, bytes:", caseName);
        for (const auto& [contender, byteCount] : contenders) line += fmt::format(" {} {}", contender, byteCount);
        std::fputs((line + "\n").c_str(), stdout);
    }
}

}    // namespace bench
