// Classes whose operator& must not be called, in messages, graphs and collectives.
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/Unaddressable.hpp>

using namespace ferry;
using namespace ferry::test;

namespace addressOperatorRankTest {

using Plain = UnaddressablePlain;
using Record = UnaddressableRecord;

/// The one with the smaller number.
struct Less {
    Plain operator()(const Plain& left, const Plain& right) const { return right.number < left.number ? right : left; }
    Record operator()(const Record& left, const Record& right) const { return right.number < left.number ? right : left; }
};

class UnaddressableFailure : public Exception {
public:
    FERRY_EXCEPTION(addressOperatorRankTest::UnaddressableFailure)
    FERRY_FIELDS(record)
    UnaddressableFailure() = default;
    explicit UnaddressableFailure(int number) : Exception("a failure"), record(number) {}
    Record record;
    void operator&() const = delete;
};

}    // namespace addressOperatorRankTest

using namespace addressOperatorRankTest;

TEST_CASE("Address operator: messages carry classes with an operator&") {
    onRanks([](Connector& c) {
        const int next = nextRank(c);
        const int previous = previousRank(c);
        const auto sending = c.post(next, UnaddressableMembers::example());
        CHECK(c.receive<UnaddressableMembers>(previous) == UnaddressableMembers::example());

        std::vector<Plain> plains(100'000);    // fetched into place
        plains.back().number = c.rank();
        auto posting = c.post(next, plains);
        CHECK(c.receive<std::vector<Plain>>(previous).back().number == previous);
        posting.get();

        std::vector<Plain> into(plains.size());
        auto again = c.post(next, std::span<const Plain>(plains));
        c.receiveInto(previous, into);
        CHECK(into.back().number == previous);
        again.get();

        auto expected = c.expect<Record>(previous);
        c.send(next, Record(c.rank()));
        CHECK(expected.get().number == previous);
    });
}

TEST_CASE("Address operator: graphs with an operator& travel whole") {
    onRanks([](Connector& c) {
        UnaddressableNode root;
        root.fill();
        c.send(nextRank(c), graph(std::addressof(root)));
        CHECK(c.receiveGraph<UnaddressableNode>(previousRank(c)).root()->isFilled());
        CHECK(c.broadcastGraph(graph(static_cast<const UnaddressableNode*>(std::addressof(root)))).root()->isFilled());
    });
}

TEST_CASE("Address operator: collectives take classes with an operator&") {
    onRanks([](Connector& c) {
        const int last = c.size() - 1;
        const Plain mine{c.rank(), 1};
        const Record own(c.rank());

        CHECK(c.broadcast(mine).number == 0);
        CHECK(c.broadcast(own) == Record(0));
        CHECK(c.broadcast(std::vector<Plain>(c.rank() == 0 ? 3 : 0)).size() == 3);
        std::vector<Plain> several(3, mine);
        c.broadcast(std::span<Plain>(several));
        CHECK(several.back().number == 0);

        CHECK(c.allGather(mine).at(static_cast<std::size_t>(last)).number == last);
        CHECK(c.allGather(own).at(static_cast<std::size_t>(last)) == Record(last));
        CHECK(c.gather(mine, 0).size() == (c.rank() == 0 ? static_cast<std::size_t>(c.size()) : 0));
        CHECK(c.allReduce(mine, Less()).number == 0);
        CHECK(c.allReduce(own, Less()) == Record(0));
        CHECK(c.scan(mine, Less()).number == 0);

        const std::vector<Plain> forEach(static_cast<std::size_t>(c.size()), mine);
        CHECK(c.allToAll(forEach).back().number == last);
        CHECK(c.scatter(forEach, 0).number == 0);
        const std::vector<Record> recordForEach(static_cast<std::size_t>(c.size()), own);
        CHECK(c.allToAll(recordForEach).back() == Record(last));

        auto started = c.startAllGather(mine);
        CHECK(started.get().size() == static_cast<std::size_t>(c.size()));
        auto reduction = c.startAllReduce(own, Less());
        CHECK(reduction.get() == Record(0));
    });
}

TEST_CASE("Address operator: an exception with an operator& arrives with its data") {
    onRanks([](Connector& c) {
        try {
            c.guarded([&c] {
                if (c.rank() == 0) throw UnaddressableFailure(5);
                c.barrier();
            });
            FAIL("nothing was thrown");
        } catch (const ExceptionList& failures) {
            REQUIRE(failures.front().as<UnaddressableFailure>() != nullptr);
            CHECK(failures.front().as<UnaddressableFailure>()->record == Record(5));
        }
    });
}
