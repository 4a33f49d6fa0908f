#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// Watches a campaign, and judges the order of failures. The functions are called on the rank's thread.
class CampaignWatch {
public:
    virtual ~CampaignWatch() = default;
    /// Called just before the rank throws the injected failure with this number.
    virtual void threw(int rank, int number) = 0;
    /// Called when the region has failed on this rank. numbers: the injected failures, in the order of the list.
    /// Left out are failures that another rank reported, because they left no part on the rank that threw them.
    virtual void failed(int rank, const std::vector<int>& numbers) = 0;
};

struct CampaignOptions {
    std::uint64_t seed = 0;
    int regions = 0;
    CampaignWatch* watch = nullptr;    ///< null in a group
    bool waitsForAnyRank = true;       ///< false: no rank waits for any rank; such a wait never ends when only some of the other ranks
                                       ///< leave
};

/// Runs guarded regions one after the other, on all ranks of the connector together. The connector may be a group.
/// The seed fixes random actions, regions inside regions, and random points at which ranks throw.
/// These points are between calls of the connector, in operators, and in the functions that write and read objects.
///
/// Returns a description of each problem. The campaign goes on after a problem. The checks are:
/// all ranks leave each region in the same way;
/// all ranks leave a failed region with the same list, which holds exactly the exceptions that left the parts of the ranks,
/// with class, text, data, ranks and origin;
/// every value belongs to the region and the action that asked for it; no data of a failed region ever arrive.
std::vector<std::string> runGuardedCampaign(Connector& connector, const CampaignOptions& options);

}    // namespace ferry::test
