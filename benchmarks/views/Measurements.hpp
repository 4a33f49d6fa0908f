#pragma once

#include <string>

#include <ferry/connector/Connector.hpp>

namespace bench {

/// What the command line asks for.
struct ViewsBenchOptions {
    int rounds = 15;
    std::string filter;    ///< only cases whose name contains this

    bool hasCase(const std::string& name) const { return name.find(filter) != std::string::npos; }
};

// Each measures its cases one after the other, and prints a row of its table for each.

/// Packs and unpacks in memory. CPU time.
void measurePacking(const ViewsBenchOptions& options);
/// From rank 0 to rank 1. Time on the wall until both ranks are done.
void measureSending(ferry::Connector& connector, const ViewsBenchOptions& options);

}    // namespace bench
