#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

namespace bench {

/// The options of the command line.
struct GraphBenchOptions {
    int rounds = 15;
    std::string filter;                  ///< only cases whose name contains this
    std::vector<std::string> without;    ///< contenders that are left out
    bool withLarge = false;
    std::string folder = "/tmp";    ///< for the measured files

    bool hasCase(const std::string& name) const { return name.find(filter) != std::string::npos; }
    bool hasContender(const std::string& name) const { return std::find(without.begin(), without.end(), name) == without.end(); }
};

// Each of these functions measures its cases one after the other, and prints a row of its table for each case.

/// Deep copies within one process: writing to memory and reading. Measures CPU time.
void measureInMemory(const GraphBenchOptions& options);
/// Writing to files and reading. Measures wall-clock time.
void measureInFiles(const GraphBenchOptions& options);
/// Transfers from rank 0 to rank 1, and broadcasts. Measures wall-clock time until both ranks have finished.
void measureBetweenRanks(ferry::Connector& connector, const GraphBenchOptions& options);
/// Broadcasts of the scene.
void measureScene(ferry::Connector& connector, const GraphBenchOptions& options);

}    // namespace bench
