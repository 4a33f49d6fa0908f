#pragma once

#include <string>

#include <ferry/connector/Connector.hpp>

namespace bench {

/// The options of the command line.
struct ViewsBenchOptions {
    int rounds = 15;
    std::string filter;    ///< only cases whose name contains this

    bool hasCase(const std::string& name) const { return name.find(filter) != std::string::npos; }
};

// Each of these functions measures its cases one after the other, and prints a row of its table for each case.

/// Packing and unpacking in memory. Measures CPU time.
void measurePacking(const ViewsBenchOptions& options);
/// Transfers from rank 0 to rank 1. Measures wall-clock time until both ranks have finished.
void measureSending(ferry::Connector& connector, const ViewsBenchOptions& options);

}    // namespace bench
