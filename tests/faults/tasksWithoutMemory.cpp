// Should: whatever allocation fails while tasks are submitted, cancelled and taken back, the master goes on. Prints "ok".
// A task whose letter had no memory can be cancelled. A map that ends without memory leaves its tasks to the slaves.
#include <ferry/ferry.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/tests/support/ScarceMemory.hpp>

namespace {

using ferry::test::ScarceMemory;

struct Square {
    using Reply = long;
    long number = 0;
};

/// A master whose slave never answers.
struct Job {
    std::vector<std::unique_ptr<ferry::detail::Transport>> transports = ferry::detail::threadTransports(2);
    ferry::Connector connector{std::move(transports[0]), ferry::ObjectFactory::global(), ferry::RegistryComparison::Skip};
    ferry::Master master{connector};
};

constexpr std::uint64_t limit = 10'000;

/// Cancels a task during whose submission the n-th allocation has failed. Returns the first n at which none failed; limit: something is
/// wrong.
std::uint64_t cancelled() {
    for (std::uint64_t n = 1; n < limit; ++n) {
        Job job;
        ferry::Future<long> first, second;
        const std::uint64_t failuresBefore = ScarceMemory::failureCount();
        try {
            const ScarceMemory scarce(n, 1);
            first = job.master.submit(Square{1}, {.retry = ferry::RetryOn<std::bad_alloc>()});
        } catch (const std::bad_alloc&) {}
        const bool hasFailed = ScarceMemory::failureCount() > failuresBefore;
        try {
            if (first.isValid()) static_cast<void>(first.cancel());
            job.master.poll();
            second = job.master.submit(Square{2});
            job.master.poll();
            const bool isThere = second.knownRank() == 1;    // the slave has room, unless it has the first task
            if (!isThere && !(first.isValid() && first.knownRank() == 1)) return limit;
        } catch (const std::exception& e) {
            std::printf("allocation %llu: %s\n", static_cast<unsigned long long>(n), e.what());
            return limit;
        }
        if (!hasFailed) return n;
    }
    return limit;
}

/// Ends a map while the n-th allocation fails, and those behind it.
void endMap(std::uint64_t n, int count) {
    Job job;
    std::optional<ScarceMemory> scarce;
    auto replies = job.master.map(std::vector<Square>(20));
    const ferry::detail::DeadlineScope scope = job.connector.limitWaits(ferry::Deadline::in(std::chrono::microseconds(1)));
    try {
        replies.begin();
    } catch (const ferry::TimeoutError&) {}
    scarce.emplace(n, count);
}

}    // namespace

int main() {
    const std::uint64_t last = cancelled();
    for (std::uint64_t n = 1; n < 20; ++n) {
        endMap(n, 1);
        endMap(n, 1'000'000);
    }
    if (last > 5 && last < limit)
        std::puts("ok");
    else
        std::printf("the last allocation that failed: %llu\n", static_cast<unsigned long long>(last));
}
