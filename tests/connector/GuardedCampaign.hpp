#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// Who looks on at a campaign: called on the rank's thread. The order of failures is for it to judge.
class CampaignWatch {
public:
    virtual ~CampaignWatch() = default;
    /// The rank is about to throw the injected failure of this number.
    virtual void threw(int rank, int number) = 0;
    /// The region has failed on this rank; the numbers of what was thrown, in the order of the list. Those are left out that stand where
    /// they arrived, since they left no part on the rank that threw them.
    virtual void failed(int rank, const std::vector<int>& numbers) = 0;
};

struct CampaignOptions {
    std::uint64_t seed = 0;
    int regions = 0;
    CampaignWatch* watch = nullptr;    ///< not of a group
    bool waitsForAnyRank = true;       ///< who does that waits for ever when only some of the others leave
};

/// Runs guarded regions one after the other, all ranks of the connector, which may be a group, together: with random actions, which the
/// seed fixes, regions inside regions, and ranks that throw at random points: between calls of the connector, in operators, and where
/// objects are written and read.
///
/// What is not right, in words; the campaign goes on after it. Checked are: all ranks leave each region in the same way; a region that has
/// failed is left with one list, the same everywhere, which holds exactly what left the parts of the ranks: class, text, data, ranks and
/// origin; every value is of the region and the action that asked for it; nothing of a failed region is ever met.
std::vector<std::string> runGuardedCampaign(Connector& connector, const CampaignOptions& options);

}    // namespace ferry::test
