#include <ferry/framework/master/Followers.hpp>

#include <algorithm>
#include <exception>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/framework/master/Promised.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace followerstest {

void runAll(detail::Followers& followers) {
    while (followers.runNext()) {}
}

}    // namespace followerstest

using namespace followerstest;

TEST_CASE("Followers: functions run in the order in which they were added, once their completion is done") {
    detail::Followers followers;
    const auto first = std::make_shared<detail::Call>();
    const auto second = std::make_shared<detail::Call>();
    std::string ran;
    followers.add(first, [&ran](detail::Completion&) { ran += "a"; });
    followers.add(second, [&ran](detail::Completion&) { ran += "b"; });
    followers.add(first, [&ran](detail::Completion&) { ran += "c"; });
    runAll(followers);
    CHECK(ran.empty());
    followers.complete(*first, nullptr);
    CHECK(first->isDone);
    CHECK_FALSE(followers.isEmpty());
    CHECK(ran.empty());
    runAll(followers);
    CHECK(ran == "ac");
    followers.complete(*second, nullptr);
    followers.add(first, [&ran](detail::Completion&) { ran += "d"; });
    runAll(followers);
    CHECK(ran == "acbd");
    CHECK(followers.isEmpty());
}

TEST_CASE("Followers: a function gets its completion with the failure, and keeps it alive until then") {
    detail::Followers followers;
    auto call = std::make_shared<detail::Call>();
    const std::weak_ptr<detail::Call> watched = call;
    bool hasFailed = false;
    followers.add(call, [&hasFailed](detail::Completion& completion) { hasFailed = completion.failure != nullptr; });
    followers.complete(*call, std::make_exception_ptr(std::runtime_error("no ink")));
    call.reset();
    CHECK_FALSE(watched.expired());
    runAll(followers);
    CHECK(hasFailed);
    CHECK(watched.expired());
}

TEST_CASE("Followers: a function that runs may add and run further ones, and each runs once") {
    detail::Followers followers;
    const auto done = std::make_shared<detail::Call>();
    followers.complete(*done, nullptr);
    std::string ran;
    followers.add(done, [&](detail::Completion&) {
        ran += "a";
        followers.add(done, [&ran](detail::Completion&) { ran += "c"; });
        runAll(followers);
        ran += "d";
    });
    followers.add(done, [&ran](detail::Completion&) { ran += "b"; });
    runAll(followers);
    CHECK(ran == "abcd");
}

TEST_CASE("Followers: a function that throws does not run again, and the next ones still run") {
    detail::Followers followers;
    const auto done = std::make_shared<detail::Call>();
    followers.complete(*done, nullptr);
    int ran = 0;
    followers.add(done, [](detail::Completion&) { throw std::runtime_error("no ink"); });
    followers.add(done, [&ran](detail::Completion&) { ++ran; });
    CHECK_THROWS_AS(runAll(followers), std::runtime_error);
    runAll(followers);
    CHECK(ran == 1);
}

TEST_CASE("Followers: a submitted call goes to the adopter of its class, and is dropped without one") {
    detail::Followers followers;
    std::shared_ptr<detail::Call> adopted;
    followers.onSubmitted(7, [&adopted](std::shared_ptr<detail::Call> call) { adopted = std::move(call); });
    const auto known = std::make_shared<detail::Call>();
    known->facts.kind = 7;
    std::list<detail::Completion::Following> adoption = followers.adoptionOf(known);
    CHECK(followers.isEmpty());
    followers.handOver(adoption);
    CHECK(adopted == nullptr);
    runAll(followers);
    CHECK(adopted == known);
    CHECK_FALSE(known->isDropped);

    const auto unknown = std::make_shared<detail::Call>();
    unknown->facts.kind = 8;
    CHECK(followers.adoptionOf(unknown).empty());
    CHECK(unknown->isDropped);
}

TEST_CASE("Followers: functions run inside each other up to a limit, and beyond it those that the wait needs and those of Ferry") {
    detail::Followers followers;
    const auto done = std::make_shared<detail::Call>();
    const auto other = std::make_shared<detail::Call>();
    followers.complete(*done, nullptr);
    followers.complete(*other, nullptr);
    const auto needed = std::make_shared<detail::Promised<int>>();
    needed->sources = {done};
    int nested = 0;
    int deepest = 0;
    for (int i = 0; i < 2 * detail::Followers::mostNested; ++i) {
        followers.add(other, [&](detail::Completion&) {
            deepest = std::max(deepest, ++nested);
            if (nested == detail::Followers::mostNested && !needed->isDone) {
                CHECK(followers.runNext());    // the function of Ferry
                CHECK_FALSE(followers.runNext());
                CHECK_THROWS_AS(static_cast<void>(followers.haveAllRun()), UsageError);
                CHECK(followers.runNext(needed.get()));
                CHECK(needed->isDone);
            }
            runAll(followers);
            --nested;
        });
    }
    followers.add(done, [&](detail::Completion&) { followers.complete(*needed, nullptr); });
    const auto ofFerry = [](detail::Completion&) {};
    followers.add(other, ofFerry, detail::Completion::FunctionOf::Ferry);
    runAll(followers);
    CHECK(deepest == detail::Followers::mostNested);
    CHECK(followers.haveAllRun());
}
