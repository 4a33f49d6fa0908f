#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/tests/simulation/swarm/SwarmCase.hpp>

namespace ferry::test {

/// A log of the events that the ranks of a case have seen. The ranks of a simulation run one at a time, so they share the log without
/// locks.
struct SwarmLog {
    /// The way in which one rank came out of one region, or out of its part of a team.
    struct Way {
        int instance = 0;                     ///< the run of the tree: each group of survivors and each team has its own
        const SwarmStep* region = nullptr;    ///< null: the whole tree of a team
        std::vector<int> members{};           ///< ranks of the outermost connector
        int rank = 0;
        bool hasFailed = false;
        std::vector<int> told{};     ///< numbers of the failures in the list; -1: a consequence of another failure
        std::set<int> left{};        ///< numbers of the failures that left the rank's part
        bool isDisturbed = false;    ///< an outer region fails, so that the rank may be woken anywhere
        bool mustFail = false;       ///< a throw of the plan is certain
    };

    std::map<const SwarmStep*, int> ids{};
    std::vector<Way> ways{};
    std::set<int> thrown{};      ///< numbers of the throws that have happened
    std::set<int> absorbed{};    ///< of these, throws in the background of a call that did not fail
    std::vector<std::string> problems{};

    void note(const std::string& problem);
    /// Gives each step of the tree a number. Steps of several trees get different ones.
    void number(const std::vector<SwarmStep>& steps);
};

/// Says whether a rank of these throws for certain, in a part of the tree that no region catches. rankCount: ranks of the connector.
bool mustFail(const std::vector<SwarmStep>& steps, int rankCount);

/// Runs one rank's part of the tree. instance, isDisturbed: as in SwarmLog::Way.
/// Errors: planned throws that no region of the tree catches; exceptions of the connector.
void runTree(Connector& connector, const std::vector<SwarmStep>& steps, int instance, bool isDisturbed, SwarmLog& log);

/// Runs one rank's part of a team: the tree, and a note of what has left it.
void runTeamTree(Connector& connector, const std::vector<SwarmStep>& steps, int instance, SwarmLog& log);

/// Notes what the master was told of the team.
void noteTeamTold(const std::vector<SwarmStep>& steps, int instance, int rankCount, const ExceptionList* failures, SwarmLog& log);

/// Compares what the ranks have seen with what the plan says. mayBreak: as SwarmCase::mayBreak.
void checkWays(SwarmLog& log, bool mayBreak);

}    // namespace ferry::test
