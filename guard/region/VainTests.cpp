#include <ferry/guard/region/VainTests.hpp>

#include <algorithm>
#include <ctime>

namespace ferry::pmpi {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds timeUntilLong{100};
constexpr milliseconds timeBetweenLooks{4};    // about the step of the coarse clock
constexpr std::size_t mostKinds = 100;         // of tests in one spell
constexpr microseconds mostOfTest{50};         // computing time of a test and of the loop around it; a short sleep stays below this, too

nanoseconds timeOf(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

/// The time of the steady clock, to some milliseconds. It costs less than the exact time.
VainTests::Clock::time_point coarseNow() { return VainTests::Clock::time_point(timeOf(CLOCK_MONOTONIC_COARSE)); }

}    // namespace

bool VainTests::Kind::isOf(const Test& test) const noexcept {
    if (call != test.call || count != test.requests.size()) return false;
    if (count > 0) return place == test.requests.data() && first == test.requests.front();
    return operations.size() == test.operations.size() &&
           std::equal(operations.begin(), operations.end(), test.operations.begin(), [](const Operation& left, const Operation& right) {
               return left.peer == right.peer && left.tag == right.tag && left.communicator == right.communicator;
           });
}

VainTests::Step VainTests::note(std::uint64_t callNumber, const Test& test) {
    const Clock::time_point now = coarseNow();
    const bool isSameSpell = callNumber == lastCall_ + 1;
    lastCall_ = callNumber;
    if (!isSameSpell) {
        begin_ = now;
        isLong_ = false;
    }
    if (!isLong_ && now - begin_ < timeUntilLong) return Step::Nothing;
    if (!isLong_) startClock();
    ++testCount_;
    noteKind(test);
    if (!isLong_) {
        isLong_ = true;
        looked_ = now;
        return Step::Begun;
    }
    if (now - looked_ < timeBetweenLooks) return Step::Nothing;
    looked_ = now;
    return Step::GoesOn;
}

/// Begins to compare the tests with the time that the thread computes.
void VainTests::startClock() {
    kinds_.clear();
    next_ = 0;
    areTooMany_ = false;
    testCount_ = 0;
    thread_ = ::pthread_self();
    computedBefore_ = timeOf(CLOCK_THREAD_CPUTIME_ID);
}

void VainTests::noteKind(const Test& test) {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
        if (next_ >= kinds_.size()) next_ = 0;
        if (kinds_[next_++].isOf(test)) return;
    }
    if (kinds_.size() == mostKinds) {
        areTooMany_ = true;
        return;
    }
    const MPI_Request first = test.requests.empty() ? MPI_REQUEST_NULL : test.requests.front();
    kinds_.push_back({test.call,
                      test.requests.data(),
                      test.requests.size(),
                      first,
                      {test.requests.begin(), test.requests.end()},
                      {test.operations.begin(), test.operations.end()}});
    next_ = 0;
}

std::vector<MPI_Request> VainTests::requests() const {
    std::vector<MPI_Request> all;
    for (const Kind& kind : kinds_) all.insert(all.end(), kind.requests.begin(), kind.requests.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<Operation> VainTests::operations() const {
    std::vector<Operation> all;
    for (const Kind& kind : kinds_) all.insert(all.end(), kind.operations.begin(), kind.operations.end());
    return all;
}

bool VainTests::mayCompute() const {
    if (areTooMany_ || testCount_ == 0 || ::pthread_equal(thread_, ::pthread_self()) == 0) return true;
    return timeOf(CLOCK_THREAD_CPUTIME_ID) - computedBefore_ > testCount_ * mostOfTest;
}

}    // namespace ferry::pmpi
