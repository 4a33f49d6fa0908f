#include <ferry/connector/message/state/Lifetime.hpp>

#include <atomic>

#include <doctest/doctest.h>

#include <ferry/tests/support/Together.hpp>

using ferry::detail::Lifetime;

TEST_CASE("Lifetime: marks are over when their object has ended, and a mark of no object never is") {
    Lifetime::Mark ofEnded;
    {
        Lifetime object;
        ofEnded = object.mark();
        CHECK_FALSE(ofEnded.isOver());
    }
    CHECK(ofEnded.isOver());
    const Lifetime next;    // may use the place again
    CHECK(ofEnded.isOver());
    CHECK_FALSE(next.mark().isOver());
    CHECK_FALSE(Lifetime::Mark().isOver());
}

TEST_CASE("Lifetime: objects that begin and end on several threads have a place each") {
    std::atomic<int> wrongCount{0};
    ferry::test::runTogether(4, [&wrongCount](int) {
        for (int round = 0; round < 20'000; ++round) {
            Lifetime first;
            Lifetime second;
            const Lifetime::Mark ofFirst = first.mark();
            const Lifetime::Mark ofSecond = second.mark();
            first.end();
            if (!ofFirst.isOver() || ofSecond.isOver()) ++wrongCount;
        }
    });
    CHECK(wrongCount == 0);
}
