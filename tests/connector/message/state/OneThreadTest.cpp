#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace onethreadtest {

/// Makes a call on a separate thread. Returns the text of the refusal; empty when the call is allowed.
std::string refusalOn(detail::OneThread& object, int rank = -1) {
    return std::async(std::launch::async,
                      [&object, rank] {
                          detail::setRankOfThisThread(rank);
                          try {
                              const detail::OneThread::Call call(object);
                              object.require();
                              return std::string();
                          } catch (const UsageError& error) {
                              return std::string(error.what());
                          }
                      })
        .get();
}

bool saysSo(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}    // namespace onethreadtest

using namespace onethreadtest;

TEST_CASE("OneThread: threads may use it one after another, as often as they like") {
    detail::OneThread object(0);
    for (int round = 0; round < 3; ++round) {
        {
            const detail::OneThread::Call call(object);
            const detail::OneThread::Call inside(object);
        }
        CHECK(refusalOn(object).empty());
        CHECK(refusalOn(object, 0).empty());
    }
}

TEST_CASE("OneThread: while a call of one thread lasts, another one is refused, and both are named") {
    detail::OneThread object(3);
    const detail::OneThread::Call call(object);
    const std::string refusal = refusalOn(object);
    CHECK(saysSo(refusal, "(of no rank) has used a connector or master of rank 3 while a call of thread " +
                              std::to_string(detail::numberOfThisThread())));
    CHECK_NOTHROW(object.require());
    const detail::OneThread::Call inside(object);
    CHECK(!refusalOn(object, 3).empty());
}

TEST_CASE("OneThread: a thread of another rank is always refused") {
    detail::OneThread object(0);
    detail::setRankOfThisThread(0);
    object.require();
    const std::string refusal = refusalOn(object, 2);
    CHECK(saysSo(refusal, "(rank 2) has used a connector or master of rank 0, which thread " +
                              std::to_string(detail::numberOfThisThread()) + " (rank 0)"));
    CHECK(refusalOn(object).empty());
    CHECK(!refusalOn(object, 2).empty());
    CHECK(refusalOn(object, 0).empty());
    detail::setRankOfThisThread(-1);
    CHECK_NOTHROW(object.require());
}

TEST_CASE("OneThread: who has used it first may be a thread of any rank, and so may the rank itself") {
    detail::OneThread object(1);
    CHECK(refusalOn(object, 5).empty());
    CHECK(refusalOn(object, 1).empty());
    CHECK(refusalOn(object, 5).empty());
    CHECK(!refusalOn(object, 4).empty());
}

TEST_CASE("OneThread: while a function of the user runs in a call, a thread that it waits for may call") {
    detail::OneThread object(0);
    const detail::OneThread::Call call(object);
    {
        const detail::OneThread::Outside outside(object);
        CHECK(refusalOn(object).empty());
        const detail::OneThread::Call inside(object);
        CHECK(!refusalOn(object).empty());
    }
    CHECK(!refusalOn(object).empty());
    CHECK_NOTHROW(object.require());
}

TEST_CASE("OneThread: no two threads are in calls at the same time") {
    detail::OneThread object(0);
    int unguarded = 0;    // only the thread in a call touches it
    std::vector<std::thread> threads;
    std::vector<int> counts(3, 0);
    for (int& count : counts) {
        threads.emplace_back([&object, &unguarded, &count] {
            for (int i = 0; i < 20'000; ++i) {
                try {
                    const detail::OneThread::Call call(object);
                    ++unguarded;
                    ++count;
                } catch (const UsageError&) {}
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(unguarded == counts[0] + counts[1] + counts[2]);
    CHECK(unguarded > 0);
}

TEST_CASE("OneThread: a thread that comes back from a function of the user while another one takes over leaves nothing behind") {
    detail::OneThread object(0);
    std::atomic<bool> isDone{false};
    std::thread other([&object, &isDone] {
        while (!isDone) {
            try {
                const detail::OneThread::Call call(object);
            } catch (const UsageError&) {}
        }
    });
    for (int i = 0; i < 500'000; ++i) {
        try {
            const detail::OneThread::Call call(object);
            const detail::OneThread::Outside outside(object);
        } catch (const UsageError&) {}
    }
    isDone = true;
    other.join();
    CHECK(refusalOn(object).empty());    // no call lasts
    CHECK_NOTHROW(object.require());
}
