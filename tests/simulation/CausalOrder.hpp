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

/// Knows of everything that is thrown in a simulation what it can have followed from: with a vector of counters for each rank (Fidge,
/// Mattern), which it hands on beside the packets, and which nothing of Ferry sees. So it judges the order of failures.
///
/// Threads: those of a simulation, of which one runs at a time.
class CausalOrder final : public CampaignWatch {
public:
    explicit CausalOrder(int rankCount);

    /// Puts the transport that watches around the given one.
    std::unique_ptr<Transport> watch(std::unique_ptr<Transport> transport);

    void threw(int rank, int number) override;
    void failed(int rank, const std::vector<int>& numbers) override;

    /// What was told in a wrong order, in words.
    const std::vector<std::string>& problems() const noexcept { return problems_; }

private:
    class Watching;
    using Time = std::vector<std::uint32_t>;    ///< by rank
    using Road = std::pair<std::pair<int, int>, Channel>;

    void noteSent(int from, int to, Channel channel);
    void noteTaken(int from, int to, Channel channel);
    bool isAlwaysBefore(int number, int other) const;

    std::vector<Time> now_;                        // by rank
    std::map<Road, std::deque<Time>> underWay_;    // of the packets, in their order
    std::map<int, std::vector<Time>> thrown_;      // by number of the failure
    std::vector<std::string> problems_;
};

}    // namespace ferry::test
