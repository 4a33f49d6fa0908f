#include <ferry/guard/known/CallRing.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

namespace ferry::pmpi {

namespace {

bool isOfReceiver(std::string_view name) { return name.find("ecv") != name.npos || name.find("robe") != name.npos; }

/// The call for a list of calls, which is shorter.
std::string inShort(const CallRing::Call& call) {
    if (call.number != 0) return fmt::format("{} {}", call.name, call.number);
    if (call.tag == CallRing::none || call.peer < 0) return call.name;
    return fmt::format("{} {} {}", call.name, isOfReceiver(call.name) ? "from" : "to", call.peer);
}

}    // namespace

constinit CallRing callRing;

std::int64_t CallRing::millisNow() noexcept {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void CallRing::noteWait(const Pending& pending) noexcept {
    pendingAt_.store(0, std::memory_order_release);
    pending_ = pending;
    pendingAt_.store(progress() + 1, std::memory_order_release);
}

CallRing::Pending CallRing::pending() const noexcept {
    const std::uint64_t at = pendingAt_.load(std::memory_order_acquire);
    const Pending pending = pending_;
    return at == progress() + 1 && at == pendingAt_.load(std::memory_order_acquire) ? pending : Pending{};
}

std::string CallRing::inWords(std::size_t mostCalls) const {
    struct Run {
        std::string text;
        int count = 0;
    };
    std::vector<Run> runs;    // from the last one
    const std::uint64_t last = number_.load(std::memory_order_acquire);
    const std::uint64_t first = last > callCount ? last - callCount + 1 : 1;
    for (std::uint64_t number = last; number >= first; --number) {
        const Call call = calls_[number % callCount];
        if (call.name == nullptr) break;
        const std::string text = inShort(call);
        if (runs.empty() || runs.back().text != text) {
            if (runs.size() == mostCalls) break;
            runs.push_back({text});
        }
        ++runs.back().count;
    }
    std::vector<std::string> texts;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
        texts.push_back(run->count > 1 ? fmt::format("{} x {}", run->count, run->text) : run->text);
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string communicatorName(std::int32_t id) {
    if (id == 0) return "MPI_COMM_WORLD";
    if (id == 1) return "MPI_COMM_SELF";
    return fmt::format("communicator {}", id);
}

std::string inWords(const CallRing::Call& call) {
    if (call.name == nullptr) return {};
    std::string text = call.name;
    const std::string_view name = call.name;
    if (call.number != 0) {
        if (call.peer != CallRing::none) text += fmt::format(", root {}", call.peer);
    } else if (call.tag != CallRing::none || call.peer != CallRing::none) {
        const char* const direction = isOfReceiver(name) ? "from" : "to";
        text += call.peer == MPI_ANY_SOURCE ? " from any rank" : fmt::format(" {} rank {}", direction, call.peer);
        if (call.tag >= 0) text += fmt::format(" (tag {})", call.tag);
    }
    if (call.communicator != CallRing::none) text += " on " + communicatorName(call.communicator);
    return text;
}

}    // namespace ferry::pmpi
