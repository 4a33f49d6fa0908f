#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>

namespace ferry::test {

/// Judges the order of failures: knows for each throw in a simulation which earlier throws can have led to it.
/// For this, each rank has a vector of counters (a vector clock: Fidge, Mattern), which travels beside the packets.
/// No code of Ferry sees these vectors.
///
/// Threads: those of a simulation. One of them runs at a time.
class CausalOrder final : public CampaignWatch {
public:
    explicit CausalOrder(int rankCount);

    /// Wraps the transport in one that watches its packets.
    std::unique_ptr<detail::Transport> watch(std::unique_ptr<detail::Transport> transport);

    void threw(int rank, int number) override;
    void failed(int rank, const std::vector<int>& numbers) override;

    /// Descriptions of the failures that were reported in a wrong order.
    const std::vector<std::string>& problems() const noexcept { return problems_; }

private:
    class Watching;
    using Time = std::vector<std::uint32_t>;    ///< indexed by rank
    using Road = std::pair<std::pair<int, int>, detail::Channel>;

    void noteSent(int from, int to, detail::Channel channel);
    void noteTaken(int from, int to, detail::Channel channel);
    bool isAlwaysBefore(int number, int other) const;

    std::vector<Time> now_;                        // indexed by rank
    std::map<Road, std::deque<Time>> underWay_;    // the times of the packets on each road, in their order
    std::map<int, std::vector<Time>> thrown_;      // indexed by the number of the failure
    std::vector<std::string> problems_;
};

}    // namespace ferry::test
