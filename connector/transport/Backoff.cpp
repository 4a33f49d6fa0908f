#include <ferry/connector/transport/Backoff.hpp>

#include <algorithm>
#include <thread>

namespace ferry::detail {

namespace {
using namespace std::chrono_literals;

// An exchange of a large message takes some hundred microseconds: within this time the rank only yields.
constexpr auto yieldTime = 1000us;
constexpr auto shortestRest = 50us;
constexpr auto longestRest = 10'000us;

void rest(Transport& transport, Backoff::Clock::time_point deadline) {
    using std::chrono::microseconds;
    transport.idle(deadline == Backoff::Clock::time_point::max() ? microseconds::max()
                                                                 : std::chrono::ceil<microseconds>(deadline - transport.now()));
}
}    // namespace

void Backoff::pause(Transport& transport, Clock::time_point deadline) {
    if (transport.hasVirtualTime()) return rest(transport, deadline);
    transport.noteWait();
    pauseCount_ += transport.isCrowded() ? pausesOfYield : 1;
    if (pauseCount_ < spinPauses) {
        if (transport.isCrowded()) std::this_thread::yield();    // the awaited rank may need this processor
        return;
    }
    if (pauseCount_ == spinPauses) {
        start_ = transport.now();
        return;
    }
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(transport.now() - start_);
    if (waited < yieldTime) {
        std::this_thread::yield();
        return;
    }
    // Resting an eighth of the time waited so far delays an answer by an eighth at most.
    transport.idle(std::clamp<std::chrono::microseconds>(waited / 8, shortestRest, longestRest));
}

}    // namespace ferry::detail
