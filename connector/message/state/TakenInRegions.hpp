#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ferry::detail {

/// The numbers of letters that the mailbox of a group has taken and that were sent in guarded regions of the mailboxes around. When such a
/// region fails, its letters no longer count. They would have been dropped had they come later.
class TakenInRegions {
public:
    /// Notes a letter. regionsAround: the regions of the mailboxes around in which it was sent, innermost first.
    void note(int from, std::span<const std::int32_t> regionsAround);
    /// Forgets the letters for whose regions areOver(regions) holds. Calls uncount(rank, number of letters) for them.
    void takeBack(const std::function<bool(std::span<const std::int32_t>)>& areOver,
                  const std::function<void(int, std::uint64_t)>& uncount);
    /// Notes that regions first to last of one of the mailboxes around have ended without a failure. Their letters then belong to the
    /// region around them; 0: there is none. level: the number of mailboxes between that mailbox and the group.
    void moveOut(std::size_t level, std::int32_t first, std::int32_t last, std::int32_t regionAround);
    /// The number of entries that are remembered.
    std::size_t size() const noexcept { return counts_.size(); }

private:
    struct Count {
        int from = -1;
        std::vector<std::int32_t> regions{};
        std::uint64_t letters = 0;
    };
    void add(int from, std::span<const std::int32_t> regions, std::uint64_t letters);

    std::vector<Count> counts_;
};

}    // namespace ferry::detail
