#include <ferry/serialization/exception/ThrowRecord.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

using namespace ferry;
using ferry::test::thrownBy;

namespace {

std::atomic<int> livingCount{0};

struct Counted {
    Counted() { ++livingCount; }
    Counted(const Counted&) { ++livingCount; }
    ~Counted() { --livingCount; }
};

bool hasRecord(const std::exception_ptr& exception) { return detail::throwRecordOf(detail::objectOf(exception)) != nullptr; }

/// Returns the texts of the exceptions under way on this thread.
std::vector<std::string> textsUnderWay() {
    std::vector<std::string> texts;
    for (const std::exception_ptr& exception : detail::throwsUnderWay()) {
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& known) {
            texts.emplace_back(known.what());
        }
    }
    return texts;
}

/// The destructor records the exceptions under way.
struct Looking {
    std::vector<std::string>& seen;
    ~Looking() { seen = textsUnderWay(); }
};

/// The destructor throws its number while an object with the next number ends. The one behind the last records the exceptions under way.
struct ThrowingInside {
    int number;
    int last;
    std::vector<std::string>& seen;
    ~ThrowingInside() {
        if (number > last) {
            seen = textsUnderWay();
            return;
        }
        try {
            const ThrowingInside inner{number + 1, last, seen};
            throw std::runtime_error(std::to_string(number));
        } catch (const std::runtime_error&) {}
    }
};

/// The destructor throws and catches an exception, and records the exceptions under way meanwhile.
struct Throwing {
    std::vector<std::string>& seen;
    ~Throwing() {
        try {
            const Looking looking{seen};
            throw std::logic_error("a further one");
        } catch (const std::logic_error&) {}
    }
};

using Texts = std::vector<std::string>;

}    // namespace

TEST_CASE("throwsUnderWay: finds the exception that runs a destructor, however it was thrown") {
    if (!isThrowHookLinked()) return;
    Texts seen;
    const auto sees = [&seen](const auto& raise) {
        seen.clear();
        try {
            const Looking looking{seen};
            raise();
        } catch (const std::exception&) {}
        return seen;
    };
    CHECK(sees([] { throw std::runtime_error("thrown"); }) == Texts{"thrown"});
    CHECK(sees([] {
              try {
                  throw std::runtime_error("again");
              } catch (const std::runtime_error&) {
                  thrownBy([] { throw std::logic_error("between"); });
                  throw;
              }
          }) == Texts{"again"});
    std::exception_ptr ofOther;
    std::thread([&ofOther] { ofOther = thrownBy([] { throw std::runtime_error("elsewhere"); }); }).join();
    thrownBy([] { throw std::logic_error("between"); });
    CHECK(sees([&ofOther] { std::rethrow_exception(ofOther); }) == Texts{"elsewhere"});
    CHECK(sees([] {}).empty());
    CHECK(textsUnderWay().empty());
}

TEST_CASE("throwsUnderWay: several are told, the oldest first, and those that were caught are not") {
    if (!isThrowHookLinked()) return;
    Texts seen;
    Texts seenAfterwards;
    try {
        const Looking afterwards{seenAfterwards};
        const Throwing throwing{seen};
        throw std::runtime_error("the cause");
    } catch (const std::runtime_error&) {
        CHECK(textsUnderWay().empty());
    }
    CHECK(seen == Texts{"the cause", "a further one"});
    CHECK(seenAfterwards == Texts{"the cause"});
}

TEST_CASE("throwsUnderWay: eight exceptions in flight are told, and of more the eight oldest") {
    if (!isThrowHookLinked()) return;
    const Texts oldest{"1", "2", "3", "4", "5", "6", "7", "8"};
    for (const int last : {7, 8, 9}) {
        Texts seen;
        { const ThrowingInside first{1, last, seen}; }
        CHECK(seen == Texts(oldest.begin(), oldest.begin() + std::min(last, 8)));
    }
}

TEST_CASE("throw record: lives as long as the exception, whose destructor still runs") {
    if (!isThrowHookLinked()) return;
    std::exception_ptr exception = thrownBy([] { throw Counted(); });
    CHECK(livingCount == 1);
    const void* object = detail::objectOf(exception);
    REQUIRE(hasRecord(exception));
    CHECK_FALSE(detail::throwRecordOf(object)->frames.empty());
    std::exception_ptr rethrown = thrownBy([&] { std::rethrow_exception(exception); });
    CHECK(detail::objectOf(rethrown) == object);
    exception = nullptr;
    CHECK(hasRecord(rethrown));
    rethrown = nullptr;
    CHECK(livingCount == 0);
    CHECK(detail::throwRecordOf(object) == nullptr);
}

TEST_CASE("throw record: works for objects without a destructor, and for objects that another thread destroys") {
    if (!isThrowHookLinked()) return;
    std::exception_ptr exception = thrownBy([] { throw 42; });
    CHECK(hasRecord(exception));
    const void* object = detail::objectOf(exception);
    std::thread([held = std::exchange(exception, nullptr)]() mutable { held = nullptr; }).join();    // libc++ copies where it could move
    CHECK(detail::throwRecordOf(object) == nullptr);
}

TEST_CASE("throw record: an exception that was never thrown has none") {
    CHECK_FALSE(hasRecord(std::make_exception_ptr(std::logic_error("x"))));
    CHECK(detail::objectOf(nullptr) == nullptr);
}

TEST_CASE("throw record: stacks can be switched off and on, and the rest of the record stays") {
    if (!isThrowHookLinked()) return;
    REQUIRE(detail::isStackRecording());
    setStackRecording(false);
    const std::exception_ptr without = thrownBy([] { throw std::logic_error("x"); });
    setStackRecording(true);
    REQUIRE(hasRecord(without));
    CHECK(detail::throwRecordOf(detail::objectOf(without))->frames.empty());
    CHECK(detail::throwRecordOf(detail::objectOf(without))->origin.pid > 0);
    const std::exception_ptr with = thrownBy([] { throw std::logic_error("x"); });
    CHECK_FALSE(detail::throwRecordOf(detail::objectOf(with))->frames.empty());
}

TEST_CASE("throw record: nothing is recorded during a pause") {
    const detail::ThrowRecordingPause pause;
    CHECK_FALSE(hasRecord(thrownBy([] { throw std::logic_error("x"); })));
}

TEST_CASE("throw record: many threads throw at the same time") {
    if (!isThrowHookLinked()) return;
    std::vector<std::thread> threads;
    std::atomic<int> recorded{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < 500; ++round) {
                if (hasRecord(thrownBy([] { throw Counted(); }))) ++recorded;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(recorded == 2000);
    CHECK(livingCount == 0);
}
