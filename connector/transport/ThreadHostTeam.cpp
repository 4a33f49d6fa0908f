#include <ferry/connector/transport/ThreadHostTeam.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>

namespace ferry::detail {

namespace {

void copyBytes(std::byte* target, const std::byte* source, std::size_t bytes) {
    if (bytes != 0 && target != source) std::memcpy(target, source, bytes);
}

}    // namespace

std::span<std::byte> ThreadHost::memory(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (memoryBytes_ == 0) {
        memory_.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
        memoryBytes_ = bytes;
    }
    return {memory_.front().bytes, memoryBytes_};
}

void ThreadHost::meet() noexcept {
    const unsigned meeting = meeting_.load(std::memory_order_acquire);
    if (metCount_.fetch_add(1, std::memory_order_acq_rel) + 1 == rankCount()) {
        metCount_.store(0, std::memory_order_relaxed);
        meeting_.store(meeting + 1, std::memory_order_release);
        return;
    }
    constexpr int spins = 200;
    for (int look = 0; meeting_.load(std::memory_order_acquire) == meeting; ++look) {
        if (look > spins) std::this_thread::yield();
    }
}

ThreadHostTeam::ThreadHostTeam(int rank, std::shared_ptr<ThreadHost> host, std::size_t memoryBytes)
    : rank_(rank),
      host_(std::move(host)),
      memory_(host_->memory(memoryBytes)),
      isCrowded_(static_cast<unsigned>(host_->rankCount()) > std::thread::hardware_concurrency()) {}

void ThreadHostTeam::show(const ThreadHost::Place& place) {
    host_->placeOf(rank_) = place;
    host_->meet();
}

void ThreadHostTeam::broadcast(void* data, std::size_t bytes, int root) {
    auto* own = static_cast<std::byte*>(data);
    show({own});
    if (rank_ != root) copyBytes(own, host_->placeOf(root).own, bytes);
    host_->meet();
}

void ThreadHostTeam::allGather(const void* own, std::span<const std::size_t> byteCounts, void* all) {
    show({static_cast<const std::byte*>(own)});
    auto* target = static_cast<std::byte*>(all);
    for (int rank = 0; rank < host_->rankCount(); ++rank) {
        const std::size_t bytes = byteCounts[static_cast<std::size_t>(rank)];
        copyBytes(target, host_->placeOf(rank).own, bytes);
        target += bytes;
    }
    host_->meet();
}

void ThreadHostTeam::allToAll(const void* outgoing, std::span<const std::size_t> outgoingBytes, void* incoming,
                              std::span<const std::size_t> incomingBytes) {
    show({static_cast<const std::byte*>(outgoing), nullptr, outgoingBytes});
    auto* target = static_cast<std::byte*>(incoming);
    for (int rank = 0; rank < host_->rankCount(); ++rank) {
        const ThreadHost::Place& place = host_->placeOf(rank);
        const std::byte* source = place.own;
        for (int before = 0; before < rank_; ++before) source += place.byteCounts[static_cast<std::size_t>(before)];
        const std::size_t bytes = incomingBytes[static_cast<std::size_t>(rank)];
        copyBytes(target, source, bytes);
        target += bytes;
    }
    host_->meet();
}

void ThreadHostTeam::allToAllEvenly(const void* outgoing, void* incoming, std::size_t bytesOfRank) {
    show({static_cast<const std::byte*>(outgoing)});
    auto* target = static_cast<std::byte*>(incoming);
    for (int rank = 0; rank < host_->rankCount(); ++rank)
        copyBytes(target + static_cast<std::size_t>(rank) * bytesOfRank,
                  host_->placeOf(rank).own + static_cast<std::size_t>(rank_) * bytesOfRank, bytesOfRank);
    host_->meet();
}

ThreadHostTeam::Share ThreadHostTeam::shareOf(int rank, std::size_t count) const noexcept {
    const auto ranks = static_cast<std::size_t>(host_->rankCount());
    const std::size_t first = count * static_cast<std::size_t>(rank) / ranks;
    return {first, count * (static_cast<std::size_t>(rank) + 1) / ranks - first};
}

void ThreadHostTeam::reduce(const void* own, void* combined, std::size_t count, const PlainReduction& reduction, int root) {
    show({static_cast<const std::byte*>(own), static_cast<std::byte*>(combined)});
    // No other rank reads or writes this share of any rank's elements before the next meeting. So own and combined may be one place.
    const int target = root == AllRanks ? rank_ : root;
    const Share share = shareOf(rank_, count);
    std::byte* const result = host_->placeOf(target).combined;
    alignas(std::max_align_t) std::array<std::byte, 4096> piece;
    const std::size_t pieceCount = piece.size() / reduction.numberBytes;
    for (std::size_t done = 0; done < share.count; done += pieceCount) {
        const std::size_t elements = std::min(pieceCount, share.count - done);
        const std::size_t place = (share.first + done) * reduction.numberBytes;
        copyBytes(piece.data(), host_->placeOf(0).own + place, elements * reduction.numberBytes);
        for (int rank = 1; rank < host_->rankCount(); ++rank)
            reduction.combineInto(piece.data(), host_->placeOf(rank).own + place, elements);
        copyBytes(result + place, piece.data(), elements * reduction.numberBytes);
    }
    host_->meet();
    if (root != AllRanks) return;
    for (int rank = 0; rank < host_->rankCount(); ++rank) {
        if (rank == rank_) continue;
        const Share other = shareOf(rank, count);
        const std::size_t from = other.first * reduction.numberBytes;
        copyBytes(static_cast<std::byte*>(combined) + from, host_->placeOf(rank).combined + from, other.count * reduction.numberBytes);
    }
    host_->meet();
}

void ThreadHostTeam::scan(const void* own, void* combined, std::size_t count, const PlainReduction& reduction) {
    show({static_cast<const std::byte*>(own)});
    auto* result = static_cast<std::byte*>(combined);
    copyBytes(result, host_->placeOf(0).own, count * reduction.numberBytes);
    for (int rank = 1; rank <= rank_; ++rank) reduction.combineInto(result, host_->placeOf(rank).own, count);
    host_->meet();
}

}    // namespace ferry::detail
