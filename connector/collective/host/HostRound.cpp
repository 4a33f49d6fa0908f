#include <ferry/connector/collective/host/HostRound.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/insist.hpp>

namespace ferry::detail {

namespace {

// Other ranks on the same host are some hundred nanoseconds away when they come at the same time.
constexpr int spins = 400;
// Where ranks share processors, the awaited rank may need the processor of this rank.
constexpr int yields = 20;

constexpr int EveryRank = -1;

void pauseProcessor() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

}    // namespace

HostRound::HostRound(Collectives& collectives, const Envelope& envelope, const PlainType& type)
    : collectives_(collectives),
      board_(*collectives.hostBoard()),
      envelope_(envelope),
      type_(type),
      number_(board_.next()) {
    if (board_.hasRoom(number_)) return;
    try {
        waitFor([this] { return board_.hasRoom(number_); }, EveryRank);
    } catch (...) {
        board_.finish(number_);
        throw;
    }
}

HostRound::~HostRound() { board_.finish(number_); }

std::byte* HostRound::ownData(std::size_t byteCount) {
    isWide_ = byteCount > HostBoard::narrowCapacity();
    if (isWide_ && !board_.hasWideRoom(number_)) waitFor([this] { return board_.hasWideRoom(number_); }, EveryRank);
    return board_.ownData(number_, isWide_);
}

void HostRound::publish(HostEntry::Form form, std::size_t elementCount) {
    HostEntry& entry = board_.own(number_);
    entry.key = envelope_.key;
    entry.region = envelope_.region;
    entry.typeKey = type_.key;
    entry.form = form;
    entry.elementCount = elementCount;
    entry.isWide = isWide_ ? 1 : 0;
    board_.nameOwn(number_, type_.name);
    board_.publish(number_);
}

const HostEntry& HostRound::await(int rank) {
    const HostEntry* entry = board_.entryOf(number_, rank);
    if (entry == nullptr) {
        waitFor([&] { return (entry = board_.entryOf(number_, rank)) != nullptr; }, rank);
    }
    verify(*entry, rank);
    return *entry;
}

void HostRound::awaitAll() {
    for (int rank = 0; rank < board_.rankCount(); ++rank) await(rank);
}

void HostRound::commit() {
    awaitAll();
    board_.commit(number_);
    try {
        waitFor([this] { return board_.isCommitted(number_); }, EveryRank);
    } catch (const RegionFailed&) {
        if (board_.takeBack(number_)) throw;    // else the next call throws it again
    } catch (const TimeoutError&) {
        if (board_.takeBack(number_)) throw;    // else all ranks have committed in time
    } catch (const Deadlock&) {
        if (board_.takeBack(number_)) throw;
    } catch (...) {
        if (board_.takeBack(number_)) throw;
        throwLater(std::current_exception());
    }
}

/// Makes the next call throw the exception, unless there is no memory for that: all ranks are in the team's call, and wait for this rank.
void HostRound::throwLater(const std::exception_ptr& exception) noexcept {
    DueFailures& due = collectives_.mailbox().due();
    if (due.isStopped()) return;
    try {
        insist([&] { due.throwSoon(exception); });
    } catch (const std::bad_alloc&) {
        // The exception is dropped.
    }
}

CollectiveMismatch HostRound::mismatch(int rank, std::string here, std::string there) const {
    return CollectiveMismatch({board_.rank(), std::move(here)}, {rank, std::move(there)});
}

/// rank: the awaited rank, or EveryRank.
template <class Condition>
void HostRound::waitFor(const Condition& isReached, int rank) {
    const bool isCrowded = board_.team().isCrowded();
    for (int spin = 0; spin < (isCrowded ? 0 : spins); ++spin) {
        if (isReached()) return;
        pauseProcessor();
    }
    for (int yield = 0; yield < (isCrowded ? yields : 0); ++yield) {
        if (isReached()) return;
        std::this_thread::yield();
    }
    const auto condition = [&] {
        if (isReached()) return true;
        collectives_.throwIfGivenUp(envelope_);
        collectives_.mailbox().departures().throwIfAnyLost();
        const std::optional<int> gone = whoHasLeft(rank);
        if (gone && !isReached()) throw RankHasLeft(*gone);
        return false;
    };
    const auto describe = [&] {
        Awaited awaited;
        for (int other = 0; other < board_.rankCount(); ++other) {
            if (rank == other || (rank == EveryRank && other != board_.rank())) awaited.ranks.push_back(other);
        }
        awaited.what = collectives_.describePartOf(awaited.ranks, envelope_);
        return awaited;
    };
    try {
        collectives_.mailbox().waitUntil(std::cref(condition), std::cref(describe), Waiter::Call);
    } catch (const TimeoutError&) {
        board_.withdraw(number_);    // this rank gives the collective up, and so will the others
        throw;
    } catch (const Deadlock&) {
        board_.withdraw(number_);
        throw;
    }
}

/// Returns the first awaited rank that has left the job, if any.
std::optional<int> HostRound::whoHasLeft(int rank) const {
    const int first = rank == EveryRank ? 0 : rank;
    const int last = rank == EveryRank ? board_.rankCount() - 1 : rank;
    for (int other = first; other <= last; ++other) {
        if (collectives_.mailbox().departures().hasLeft(other)) return other;
    }
    return std::nullopt;
}

/// Describes a rank's collective, with the type of its elements.
std::string HostRound::describeTyped(const HostBoard::Number& number, int rank) const {
    return fmt::format("{} of {}", describeCall(board_.seenEntryOf(number, rank).key), board_.nameOf(number, rank));
}

void HostRound::verify(const HostEntry& entry, int rank) const {
    const HostEntry& own = board_.own(number_);
    if (entry.key != own.key) throw mismatch(rank, describeCall(own.key), describeCall(entry.key));
    if (entry.typeKey != own.typeKey) throw mismatch(rank, describeTyped(number_, board_.rank()), describeTyped(number_, rank));
    if (entry.region != own.region) throw mismatch(rank, describeCall(own.key) + " in one guarded region", "it in another one");
    if (entry.before != own.before) [[unlikely]] {
        throwEarlierMismatch(rank);
    }
}

/// Called when the rank has entered other collectives before than this rank. Throws a CollectiveMismatch that names them, as long as the
/// board holds them.
void HostRound::throwEarlierMismatch(int rank) const {
    constexpr std::uint64_t remembered = 4;
    for (std::uint64_t ago = remembered; ago > 0; --ago) {
        const HostEntry* const own = board_.earlierEntryOf(number_, ago, board_.rank());
        const HostEntry* const other = board_.earlierEntryOf(number_, ago, rank);
        if (own == nullptr || other == nullptr) continue;
        if (own->key != other->key) throw mismatch(rank, describeCall(own->key), describeCall(other->key));
        const HostBoard::Number earlier{number_.epoch, number_.count - ago};
        if (own->typeKey != other->typeKey) throw mismatch(rank, describeTyped(earlier, board_.rank()), describeTyped(earlier, rank));
    }
}

}    // namespace ferry::detail
