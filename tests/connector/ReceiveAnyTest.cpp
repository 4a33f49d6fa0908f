#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

enum class Purpose : std::uint8_t { Work = 3, Result = 4 };

}    // namespace

TEST_CASE("Tags: values of one type and one sender are told apart, and no receive without the tag gets them") {
    onRanks([](Connector& c) {
        if (c.rank() == 0) {
            for (int rank = 0; rank < c.size(); ++rank) {
                c.send(rank, 10 * rank, Tag(Purpose::Work));
                c.send(rank, 10 * rank + 1);
                static_cast<void>(c.post(rank, 10 * rank + 2, Tag(Purpose::Result)));
                c.send(rank, "text", Tag(-5));
                c.send(rank, Letterhead("tagged", {}), Tag(Purpose::Work));
                c.send(rank, Letterhead("plain", {}));
            }
        }
        CHECK(c.receive<int>(0, Tag(Purpose::Result)) == 10 * c.rank() + 2);
        CHECK(c.receive<int>(0) == 10 * c.rank() + 1);
        int into = 0;
        c.receiveInto(AnyRank, into, Tag(3), Deadline::in(std::chrono::minutes(1)));
        CHECK(into == 10 * c.rank());
        CHECK(c.expect<std::string>(0, Tag(-5)).get() == "text");
        const std::unique_ptr<Message> plain = c.receive();
        CHECK(dynamic_cast<const Letterhead&>(*plain).title == "plain");
        CHECK(c.receive<Letterhead>(0, Tag(Purpose::Work)).title == "tagged");
        c.barrier();
    });
}

TEST_CASE("receiveAny: the oldest of several types, who sent it and with what tag") {
    onRanks([](Connector& c) {
        const int left = (c.rank() + c.size() - 1) % c.size();
        const int right = (c.rank() + 1) % c.size();
        c.send(right, 2.5, Tag(8));
        c.send(right, Letterhead("a", {}), Tag(7));
        c.send(right, std::vector<int>{1, 2});
        c.send(right, 5);

        auto first = c.receiveAny<std::vector<int>, Letterhead, int>();
        CHECK(std::get<Letterhead>(first.value).title == "a");
        CHECK(std::get<Letterhead>(first.value).sender() == left);
        CHECK(first.from == left);
        CHECK(first.tag == Tag(7));
        const auto [value, from, tag] = c.receiveAny<std::vector<int>, double>({.from = left, .tag = Tag()});
        CHECK(std::get<0>(value) == std::vector<int>{1, 2});
        CHECK(from == left);
        CHECK(tag == Tag());
        CHECK(c.receiveAny<double>({.tag = Tag(8)}).value == 2.5);
        CHECK(c.receiveAny<int>().value == 5);

        c.send(right, Letterhead("b", {}), Tag(2));
        const Arrival<std::unique_ptr<Message>> any = c.receiveAny({.from = left});
        CHECK(dynamic_cast<const Letterhead&>(*any.value).title == "b");
        CHECK(any.tag == Tag(2));
        c.barrier();
    });
}

TEST_CASE("receiveAny: one type twice, and a deadline that names all that was waited for") {
    onRanks([](Connector& c) {
        c.send(c.rank(), 1);
        CHECK(std::get<0>(c.receiveAny<int, int>({.from = c.rank()}).value) == 1);
        try {
            static_cast<void>(
                c.receiveAny<int, Letterhead>({.from = 0, .tag = Tag(6), .deadline = Deadline::in(std::chrono::milliseconds(1))}));
            FAIL("nobody sent anything");
        } catch (const TimeoutError& error) {
            const std::string text = error.what();
            CHECK(text.find("a value of type int or a message of class") != std::string::npos);
            CHECK(text.find("from rank 0, tag 6") != std::string::npos);
        }
        c.barrier();
    });
}

TEST_CASE("receiveAny: a rank that does not exist") {
    onRanks([](Connector& c) { CHECK_THROWS_AS(static_cast<void>(c.receiveAny<int>({.from = c.size()})), UsageError); });
}
