#include <ferry/connector/collective/host/HostBoard.hpp>

#include <algorithm>
#include <bit>

#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

namespace {

// Limits of the sizes. The boards of many ranks should fit the processor's cache, and larger data should be worth a call of MPI.
constexpr std::size_t allWideBytes = std::size_t{4} << 20;
constexpr std::size_t leastWideBytes = 4096;
constexpr std::size_t mostWideBytes = 32768;
constexpr std::size_t lineBytes = 64;

// A commitment word: the low bits count the ranks, the other bits identify the collective.
constexpr std::uint64_t rankMask = 0xffff;

/// Spreads the stamp over all bits. The bits that are left then tell collectives apart, however far apart their numbers are.
std::uint64_t tagOf(std::uint64_t stamp) noexcept {
    stamp *= 0x9e3779b97f4a7c15;
    return (stamp ^ (stamp >> 32)) << 16;
}

}    // namespace

/// The sizes are powers of two less a cache line. So the first lines of the places fall into different sets of a cache.
std::size_t HostBoard::wideBytesFor(int rankCount) noexcept {
    const std::size_t share = allWideBytes / (widePlaces * static_cast<std::size_t>(rankCount));
    return std::clamp(std::bit_floor(std::max<std::size_t>(share, 1)), leastWideBytes, mostWideBytes) - lineBytes;
}

std::size_t HostBoard::memoryBytes(int rankCount) {
    const auto ranks = static_cast<std::size_t>(rankCount);
    return sizeof(Counter) * (ranks + places) + (slotBytes * places + wideBytesFor(rankCount) * widePlaces) * ranks;
}

HostBoard::HostBoard(HostTeam& team, int rank, int rankCount) noexcept
    : team_(team),
      rank_(rank),
      rankCount_(rankCount),
      wideBytes_(wideBytesFor(rankCount)),
      counters_(reinterpret_cast<Counter*>(team.memory().data())),
      slots_(team.memory().data() + sizeof(Counter) * (static_cast<std::size_t>(rankCount) + places)),
      wideSlots_(slots_ + slotBytes * places * static_cast<std::size_t>(rankCount)) {}

HostBoard::Slot& HostBoard::slotOf(const Number& number, int rank) const noexcept {
    const std::size_t index = placeOf(number) * static_cast<std::size_t>(rankCount_) + static_cast<std::size_t>(rank);
    return *reinterpret_cast<Slot*>(slots_ + index * slotBytes);
}

std::byte* HostBoard::dataOf(const Number& number, int rank, bool isWide) const noexcept {
    if (!isWide) return reinterpret_cast<std::byte*>(&slotOf(number, rank)) + sizeof(Slot);
    const std::size_t index = number.count % widePlaces * static_cast<std::size_t>(rankCount_) + static_cast<std::size_t>(rank);
    return wideSlots_ + index * wideBytes_;
}

char* HostBoard::nameIn(const Number& number, int rank) const noexcept {
    return reinterpret_cast<char*>(&slotOf(number, rank)) + slotBytes - nameBytes;
}

void HostBoard::nameOwn(const Number& number, std::string_view typeName) noexcept {
    char* const name = nameIn(number, rank_);
    const std::size_t length = std::min(typeName.size(), nameBytes - 1);
    if (std::equal(typeName.begin(), typeName.begin() + length, name) && name[length] == '\0') return;    // its line stays unchanged
    std::copy_n(typeName.data(), length, name);
    name[length] = '\0';
}

std::string HostBoard::nameOf(const Number& number, int rank) const {
    const char* const name = nameIn(number, rank);
    return readableTypeName({name, std::find(name, name + nameBytes, '\0')});
}

void HostBoard::goBack(const Mark& mark, std::uint32_t epoch) noexcept {
    epoch_ = epoch;
    count_ = mark.count;
    before_ = mark.before;
    finishedByAll_ = mark.count;
}

/// Whether all ranks have finished the collective of placeCount numbers before.
bool HostBoard::isFinishedBefore(const Number& number, std::size_t placeCount) noexcept {
    if (number.count <= finishedByAll_ + placeCount) return true;
    std::uint64_t finishedByAll = number.count;
    for (int rank = 0; rank < rankCount_; ++rank) {
        const std::uint64_t stamp = finishedBy(rank).load(std::memory_order_acquire);
        const std::uint32_t unfinished = static_cast<std::uint32_t>(number.count) - static_cast<std::uint32_t>(stamp);
        const bool isOfEpoch = stamp >> 32 == number.epoch;    // else the rank has finished none since the last region that failed
        finishedByAll = std::min(finishedByAll, isOfEpoch ? number.count - unfinished : finishedByAll_);
    }
    finishedByAll_ = std::max(finishedByAll_, finishedByAll);
    return number.count <= finishedByAll_ + placeCount;
}

void HostBoard::publish(const Number& number) noexcept {
    Slot& slot = slotOf(number, rank_);
    slot.entry.before = before_;
    const auto hash = static_cast<std::uint32_t>(slot.entry.key * 31 + slot.entry.typeKey) * 0x9e3779b9U;
    before_ = (before_ << 16) | (hash >> 16);
    slot.stamp.store(stampOf(number), std::memory_order_release);
}

void HostBoard::withdraw(const Number& number) noexcept {
    std::atomic<std::uint64_t>& stamp = slotOf(number, rank_).stamp;
    if (stamp.load(std::memory_order_relaxed) == stampOf(number)) stamp.store(0, std::memory_order_release);
}

const HostEntry* HostBoard::entryOf(const Number& number, int rank) const noexcept {
    const Slot& slot = slotOf(number, rank);
    return slot.stamp.load(std::memory_order_acquire) == stampOf(number) ? &slot.entry : nullptr;
}

void HostBoard::finish(const Number& number) noexcept { finishedBy(rank_).store(stampOf(number), std::memory_order_release); }

void HostBoard::commit(const Number& number) noexcept {
    std::atomic<std::uint64_t>& word = commitments(number);
    const std::uint64_t tag = tagOf(stampOf(number));
    std::uint64_t before = word.load(std::memory_order_relaxed);
    std::uint64_t after = 0;
    do {
        after = (before & ~rankMask) == tag ? before + 1 : tag + 1;
    } while (!word.compare_exchange_weak(before, after, std::memory_order_acq_rel, std::memory_order_relaxed));
}

bool HostBoard::isCommitted(const Number& number) const noexcept {
    return commitments(number).load(std::memory_order_acquire) == tagOf(stampOf(number)) + static_cast<std::uint64_t>(rankCount_);
}

bool HostBoard::takeBack(const Number& number) noexcept {
    std::atomic<std::uint64_t>& word = commitments(number);
    const std::uint64_t complete = tagOf(stampOf(number)) + static_cast<std::uint64_t>(rankCount_);
    std::uint64_t before = word.load(std::memory_order_acquire);
    do {
        if (before == complete) return false;
    } while (!word.compare_exchange_weak(before, before - 1, std::memory_order_acq_rel, std::memory_order_acquire));
    return true;
}

}    // namespace ferry::detail
