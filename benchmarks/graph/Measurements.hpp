#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

namespace bench {

/// What the command line asks for.
struct GraphBenchOptions {
    int rounds = 15;
    std::string filter;                  ///< only cases whose name contains this
    std::vector<std::string> without;    ///< contenders that are left out
    bool withLarge = false;
    std::string folder = "/tmp";    ///< for the files

    bool hasCase(const std::string& name) const { return name.find(filter) != std::string::npos; }
    bool hasContender(const std::string& name) const { return std::find(without.begin(), without.end(), name) == without.end(); }
};

// Each measures its cases one after the other, and prints a row of its table for each.

/// Deep copies within one process: write to memory and read. CPU time.
void measureInMemory(const GraphBenchOptions& options);
/// To files and back. Time on the wall.
void measureInFiles(const GraphBenchOptions& options);
/// From rank 0 to rank 1, and by broadcast. Time on the wall until both ranks are done.
void measureBetweenRanks(ferry::Connector& connector, const GraphBenchOptions& options);
/// The scene, by broadcast.
void measureScene(ferry::Connector& connector, const GraphBenchOptions& options);

}    // namespace bench
