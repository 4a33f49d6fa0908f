#pragma once

#include <pthread.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Requests.hpp>

namespace ferry::pmpi {

/// The tests and probes that this rank repeats, that find nothing, and between which it makes no other call of MPI: a spell of tests.
///
/// A rank in a spell moves nothing in MPI. It may still go on by itself, for example after a number of tests.
class VainTests {
public:
    using Clock = std::chrono::steady_clock;

    /// A test that has found nothing. Borrows all members.
    struct Test {
        const char* call = "";                      ///< a literal
        std::span<const MPI_Request> requests{};    ///< tested requests
        std::span<const Operation> operations{};    ///< for a test that has no request, such as a probe
    };
    /// Nothing: the spell is young, or was looked at just now. Begun: the spell is long enough to be looked at for the first time.
    enum class Step : std::uint8_t { Nothing, Begun, GoesOn };

    /// Notes a test. callNumber: the number of this call among all calls of the region.
    Step note(std::uint64_t callNumber, const Test& test);
    /// Notes a test whose requests were over before it. Such a test is no move.
    void noteEmpty(std::uint64_t callNumber) noexcept {
        if (callNumber == lastCall_ + 1) lastCall_ = callNumber;
    }
    /// Ends the spell: handles that were tested may be no handles any more.
    void end() noexcept { lastCall_ = noCall; }

    /// The name of a test of the spell.
    const char* call() const noexcept { return kinds_.empty() ? "" : kinds_.front().call; }
    Clock::time_point begin() const noexcept { return begin_; }
    /// The requests that are tested in the spell.
    std::vector<MPI_Request> requests() const;
    /// The operations that are tested without a request.
    std::vector<Operation> operations() const;
    /// Whether the rank computes between the tests, or tests too many things to be sure of that.
    bool mayCompute() const;

private:
    /// One of the tests that are repeated. place and first tell it from the others.
    struct Kind {
        const char* call = "";
        const void* place = nullptr;
        std::size_t count = 0;
        MPI_Request first = MPI_REQUEST_NULL;
        std::vector<MPI_Request> requests{};
        std::vector<Operation> operations{};

        bool isOf(const Test& test) const noexcept;
    };

    void noteKind(const Test& test);
    void startClock();

    static constexpr std::uint64_t noCall = std::numeric_limits<std::uint64_t>::max();    // its successor is no number of a call
    std::uint64_t lastCall_ = noCall;                                                     // of the spell
    Clock::time_point begin_;
    Clock::time_point looked_;
    bool isLong_ = false;
    std::size_t next_ = 0;    // the kind that is expected next, since tests in a loop come in one order
    std::vector<Kind> kinds_;
    bool areTooMany_ = false;
    std::uint64_t testCount_ = 0;    // since the spell is long
    pthread_t thread_{};
    std::chrono::nanoseconds computedBefore_{0};    // by the thread, when the spell became long
};

}    // namespace ferry::pmpi
