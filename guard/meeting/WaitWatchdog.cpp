#include <ferry/guard/meeting/WaitWatchdog.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ferry::pmpi {

namespace {

constexpr double shortestTimeToAnswer = 1;    // seconds
constexpr std::size_t mostNamed = 8;    // ranks or requests of one call

std::string nameOf(MPI_Comm communicator) {
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    int size = 0;
    if (PMPI_Comm_get_name(communicator, name.data(), &length) != MPI_SUCCESS) length = 0;
    if (PMPI_Comm_size(communicator, &size) != MPI_SUCCESS) size = 0;
    const std::string text(name.data(), static_cast<std::size_t>(length));
    return text.empty() ? fmt::format("a communicator of {} ranks", size) : fmt::format("{} ({} ranks)", text, size);
}

std::string rankName(int rank) { return rank == MPI_ANY_SOURCE ? "any rank" : fmt::format("rank {}", rank); }

std::string describe(const Operation& operation) {
    if (operation.kind == RequestKind::File) return "an access to a file";
    if (operation.kind == RequestKind::Window) return "an access to a window";
    if (operation.kind == RequestKind::Post) return fmt::format("MPI_Win_post of {}", rankName(operation.peer));
    if (operation.kind == RequestKind::Exposure) return fmt::format("MPI_Win_complete of {}", rankName(operation.peer));
    if (operation.kind == RequestKind::Arrival) return fmt::format("the call of {}", rankName(operation.peer));
    const std::string place = nameOf(operation.communicator);
    if (operation.kind == RequestKind::Collective) return fmt::format("a non-blocking collective on {}", place);
    const std::string tag = operation.tag == MPI_ANY_TAG ? "any tag" : fmt::format("tag {}", operation.tag);
    if (operation.kind == RequestKind::Send) return fmt::format("a send to {} with {} on {}", rankName(operation.peer), tag, place);
    return fmt::format("a message from {} with {} on {}", rankName(operation.peer), tag, place);
}

std::string joined(const std::vector<std::string>& all) {
    const std::vector<std::string> first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), mostNamed)));
    const std::string text = fmt::format("{}", fmt::join(first, ", "));
    return all.size() > mostNamed ? fmt::format("{}, and {} more", text, all.size() - mostNamed) : text;
}

std::string timeOfDay(std::chrono::system_clock::time_point at) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
    std::tm parts{};
    localtime_r(&seconds, &parts);
    return fmt::format("{:%H:%M:%S}", parts);
}

}    // namespace

double WaitWatchdog::secondsOfEnvironment() {
    const char* wish = std::getenv("FERRY_GUARD_WATCHDOG");
    if (wish == nullptr || *wish == '\0') return 0;
    char* end = nullptr;
    const double seconds = std::strtod(wish, &end);
    if (*end == '\0' && std::isfinite(seconds) && seconds >= 0) return seconds;
    std::fprintf(stderr, "ferry: FERRY_GUARD_WATCHDOG=%s is no number of seconds: nothing is watched\n", wish);
    return 0;
}

void WaitWatchdog::begin() {
    state_ = State::Watching;
    begin_ = Clock::now();
    since_ = std::chrono::system_clock::now();
}

void WaitWatchdog::look(const Waiting& waiting) {
    if (state_ == State::Silent) return;
    if (state_ == State::Asking) return hearAnswers(waiting);
    if (Clock::now() - begin_ < std::chrono::duration<double>(meetingPlace_.watchSeconds())) return;
    if (waiting.communicator == nullptr && !waiting.isEnd) {
        say(waiting, "for " + inWords(waiting, requests_));
        state_ = State::Silent;
    } else if (meetingPlace_.rollCall().askerFor(placeOf(waiting)) >= 0) {
        state_ = State::Silent;    // the asking rank prints
    } else {
        meetingPlace_.rollCall().ask(placeOf(waiting), ranksOf(waiting));
        asked_ = Clock::now();
        state_ = State::Asking;
    }
}

void WaitWatchdog::hearAnswers(const Waiting& waiting) {
    const RollCall& rollCall = meetingPlace_.rollCall();
    const std::vector<int> ranks = ranksOf(waiting);
    const int asker = rollCall.askerFor(placeOf(waiting));
    if (asker >= 0 && asker < meetingPlace_.rank()) {
        state_ = State::Silent;
        return;
    }
    const bool haveAllAnswered = std::all_of(ranks.begin(), ranks.end(), [&](int rank) { return rollCall.hasAnswered(rank); });
    const std::chrono::duration<double> timeToAnswer(std::max(shortestTimeToAnswer, meetingPlace_.watchSeconds()));
    if (!haveAllAnswered && Clock::now() - asked_ < timeToAnswer) return;
    const std::string missing = missingOf(waiting);
    if (missing.empty()) {    // the missing ranks have come meanwhile
        begin();
        return;
    }
    say(waiting, missing);
    state_ = State::Silent;
}

RollCall::Place WaitWatchdog::placeOf(const Waiting& waiting) const {
    if (waiting.communicator == nullptr) return {};
    return {waiting.communicator->id, waiting.number};
}

/// The ranks of the wait, as ranks of the meeting place.
std::vector<int> WaitWatchdog::ranksOf(const Waiting& waiting) const {
    if (waiting.communicator != nullptr) return waiting.communicator->regionRanks;
    std::vector<int> ranks(static_cast<std::size_t>(meetingPlace_.size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// Names the missing ranks by their ranks in the communicator of the call.
std::string WaitWatchdog::missingOf(const Waiting& waiting) const {
    const RollCall& rollCall = meetingPlace_.rollCall();
    const std::vector<int> ranks = ranksOf(waiting);
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (rollCall.isThere(ranks[i])) continue;
        missing.push_back(
            fmt::format("rank {} ({})", i,
                        rollCall.isElsewhere(ranks[i]) ? "waits in another call" : "gives no answer: it is in no call of MPI that waits"));
    }
    return missing.empty() ? "" : "not there: " + joined(missing);
}

std::string WaitWatchdog::inWords(const Waiting& waiting, const Requests& requests) {
    std::vector<std::string> texts;
    for (const std::optional<Operation>& operation : pendingOf(waiting, requests))
        texts.push_back(operation ? describe(*operation) : "a request from before the region");
    return joined(texts);
}

void WaitWatchdog::say(const Waiting& waiting, const std::string& what) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const std::string place = waiting.communicator != nullptr ? " on " + nameOf(waiting.communicator->traffic) : "";
    std::fputs(fmt::format("ferry: rank {} waits {}{}{} since {} ({:.1f} s): {}\n", meetingPlace_.rank(), waiting.isEnd ? "" : "in ",
                           waiting.call, place, timeOfDay(since_), seconds, what)
                   .c_str(),
               stderr);
}

}    // namespace ferry::pmpi
