#include <ferry/connector/Connector.hpp>

#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/RegistryCheck.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/letter/CarrierMessage.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace ferry::test {

/// Writes more than it reads, like a faulty class of a user.
class Lopsided : public Message {
public:
    FERRY_CLASS(ferry::test::Lopsided)
    void writeToInts(IntWriter& out) const override { out << 1 << 2; }
    void readFromInts(IntReader& in) override {
        int first = 0;
        in >> first;
    }
};

}    // namespace ferry::test

namespace {

struct Nothing {
    FERRY_FIELDS()
};

struct Body {
    double x = 0, y = 0;
    std::vector<int> near;
    float mass = 0;
};
using BodyPlace = ferry::View<&Body::x, &Body::near>;

}    // namespace

TEST_CASE("Connector: rank and size are those of the transport, and rank 0 is the master") {
    onRanks([](Connector& c) {
        CHECK(c.rank() >= 0);
        CHECK(c.rank() < c.size());
        CHECK(c.isMaster() == (c.rank() == 0));
    });
}

TEST_CASE("Connector: values of every kind go round the ring of ranks") {
    onRanks([](Connector& c) {
        const int from = previousRank(c);
        c.send(nextRank(c), c.rank());
        c.send(nextRank(c), 0.5 + c.rank());
        c.send(nextRank(c), "rank" + std::to_string(c.rank()));
        c.send(nextRank(c), std::vector<long>{1, 2, c.rank()});
        c.send(nextRank(c), std::map<std::string, std::optional<int>>{{"a", c.rank()}, {"b", std::nullopt}});
        CHECK(c.receive<int>(from) == from);
        CHECK(c.receive<double>(from) == 0.5 + from);
        CHECK(c.receive<std::string>(from) == "rank" + std::to_string(from));
        CHECK(c.receive<std::vector<long>>(from) == std::vector<long>{1, 2, from});
        CHECK(c.receive<std::map<std::string, std::optional<int>>>(from) ==
              std::map<std::string, std::optional<int>>{{"a", from}, {"b", std::nullopt}});
    });
}

TEST_CASE("Connector: text arrives as std::string, however it was held") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), "literal");
        c.send(nextRank(c), std::string_view("view"));
        const char unended[3] = {'a', 'b', 'c'};
        c.send(nextRank(c), unended);
        CHECK(c.receive<std::string>(previousRank(c)) == "literal");
        CHECK(c.receive<std::string>(previousRank(c)) == "view");
        CHECK(c.receive<std::string>(previousRank(c)) == "abc");
        const char* const none = nullptr;
        CHECK_THROWS_WITH_AS(c.send(nextRank(c), none), doctest::Contains("a null pointer stands for a text"), UsageError);
    });
}

TEST_CASE("Connector: a message arrives with its data and its sender") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), Letterhead("from " + std::to_string(c.rank()), {1.5, -2}));
        const auto letter = c.receive<Letterhead>(previousRank(c));
        CHECK(letter.title == "from " + std::to_string(previousRank(c)));
        CHECK(letter.values == std::vector<double>{1.5, -2});
        CHECK(letter.sender() == previousRank(c));
    });
}

TEST_CASE("Connector: receive() makes an object of whatever class arrives, in the order of sending") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), Ping(7));
        c.send(nextRank(c), Letterhead("x", {}));
        const std::unique_ptr<Message> first = c.receive(previousRank(c));
        const std::unique_ptr<Message> second = c.receive(previousRank(c));
        CHECK(dynamic_cast<const Ping&>(*first).number == 7);
        CHECK(dynamic_cast<const Letterhead&>(*second).title == "x");
        CHECK(second->sender() == previousRank(c));
    });
}

TEST_CASE("Connector: a part of an object goes into an object that is there, and its other members stay") {
    onRanks([](Connector& c) {
        Body body;
        body.x = c.rank();
        body.near.assign(1000, c.rank());
        body.mass = 5;
        const Body& constant = body;
        c.send(nextRank(c), ferry::part<BodyPlace>(constant));
        c.send(nextRank(c), ferry::part<BodyPlace>(body));
        for (int round = 0; round < 2; ++round) {
            Body received;
            received.mass = 7;
            c.receiveInto(previousRank(c), ferry::part<BodyPlace>(received));
            CHECK(received.x == previousRank(c));
            CHECK(received.near == std::vector<int>(1000, previousRank(c)));
            CHECK(received.mass == 7);
        }
    });
}

TEST_CASE("Connector: receiveInto uses the memory of the object again, and tells a message its sender") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), std::vector<int>(100, c.rank()));
        std::vector<int> numbers(200, -1);
        const int* memory = numbers.data();
        c.receiveInto(previousRank(c), numbers);
        CHECK(numbers == std::vector<int>(100, previousRank(c)));
        CHECK(numbers.data() == memory);
        c.send(nextRank(c), Ping(5));
        Ping ping;
        c.receiveInto(previousRank(c), ping);
        CHECK(ping.number == 5);
        CHECK(ping.sender() == previousRank(c));
    });
}

TEST_CASE("Connector: a receive of one type leaves values of other types for later receives") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), Ping(1));
        c.send(nextRank(c), 5);
        c.send(nextRank(c), Ping(2));
        CHECK(c.receive<int>(previousRank(c)) == 5);
        CHECK(c.receive<Ping>(previousRank(c)).number == 1);
        CHECK(c.receive<Ping>().number == 2);
    });
}

TEST_CASE("Connector: a receive from any rank gets each message once") {
    onRanks([](Connector& c) {
        for (int to = 0; to < c.size(); ++to) c.send(to, Ping(c.rank()));
        std::vector<int> seen(static_cast<std::size_t>(c.size()), 0);
        for (int i = 0; i < c.size(); ++i) {
            const auto ping = c.receive<Ping>();
            CHECK(ping.number == ping.sender());
            ++seen[static_cast<std::size_t>(ping.number)];
        }
        CHECK(seen == std::vector<int>(static_cast<std::size_t>(c.size()), 1));
    });
}

TEST_CASE("Connector: large and small messages of one sender keep their order") {
    onRanks([](Connector& c) {
        std::vector<int> large(300'000);
        for (int round = 0; round < 5; ++round) {
            std::iota(large.begin(), large.end(), round + c.rank());
            c.send(nextRank(c), large);
            c.send(nextRank(c), std::vector<int>{round});
        }
        for (int round = 0; round < 5; ++round) {
            const auto big = c.receive<std::vector<int>>(previousRank(c));
            REQUIRE(big.size() == large.size());
            CHECK(big.front() == round + previousRank(c));
            CHECK(big.back() == round + previousRank(c) + 299'999);
            CHECK(c.receive<std::vector<int>>(previousRank(c)) == std::vector<int>{round});
        }
    });
}

TEST_CASE("Connector: all ranks may send much to all before anybody receives") {
    onRanks([](Connector& c) {
        const std::vector<int> block(3000, c.rank());
        constexpr int rounds = 400;
        for (int round = 0; round < rounds; ++round) {
            for (int to = 0; to < c.size(); ++to) c.send(to, block);
        }
        for (int from = 0; from < c.size(); ++from) {
            for (int round = 0; round < rounds; ++round) {
                if (c.receive<std::vector<int>>(from) != std::vector<int>(3000, from)) FAIL_CHECK("damaged block");
            }
        }
    });
}

TEST_CASE("Connector: a carrier brings objects of different classes, a simple message brings one") {
    onRanks([](Connector& c) {
        CarrierMessage carrier;
        carrier.add(std::make_unique<Ping>(3));
        carrier.add(std::make_unique<Letterhead>("third", std::vector<double>{3}));
        c.send(nextRank(c), carrier);
        c.send(nextRank(c), SimpleMessage(std::make_unique<Ping>(4)));
        c.send(nextRank(c), SimpleMessage());

        auto received = c.receive<CarrierMessage>(previousRank(c));
        CHECK(received.size() == 2);
        CHECK_THROWS_AS(received.take<Letterhead>(0), UsageError);
        CHECK(received.take<Message>(0)->className() == std::string("ferry::test::Ping"));
        CHECK(received.take<Letterhead>(1)->title == "third");
        CHECK_THROWS_AS(received.take<Letterhead>(1), UsageError);
        CHECK_THROWS_AS(received.at(2), UsageError);
        const auto simple = c.receive<SimpleMessage>(previousRank(c));
        REQUIRE(simple.objectAs<Ping>() != nullptr);
        CHECK(simple.objectAs<Ping>()->number == 4);
        CHECK(c.receive<SimpleMessage>(previousRank(c)).object() == nullptr);
    });
}

TEST_CASE("Connector: broadcast gives every rank the root's value, from every root") {
    onRanks([](Connector& c) {
        for (int root = 0; root < c.size(); ++root) {
            CHECK(c.broadcast(c.rank() * 10, root) == root * 10);
            CHECK(c.broadcast(std::string("from ") + std::to_string(c.rank()), root) == "from " + std::to_string(root));
            const std::vector<double> own(c.rank() == root ? 100'000 : 3, c.rank());
            CHECK(c.broadcast(own, root) == std::vector<double>(100'000, root));
            CHECK(c.broadcast(Letterhead(std::to_string(c.rank()), {}), root).title == std::to_string(root));
        }
    });
}

TEST_CASE("Connector: gather brings one value of each rank to the root, in the order of ranks") {
    onRanks([](Connector& c) {
        for (int root = 0; root < c.size(); ++root) {
            const std::vector<std::string> words = c.gather("rank" + std::to_string(c.rank()), root);
            if (c.rank() != root) {
                CHECK(words.empty());
                continue;
            }
            REQUIRE(words.size() == static_cast<std::size_t>(c.size()));
            for (int rank = 0; rank < c.size(); ++rank) CHECK(words[static_cast<std::size_t>(rank)] == "rank" + std::to_string(rank));
        }
    });
}

TEST_CASE("Connector: gather joins vectors of different lengths") {
    onRanks([](Connector& c) {
        const std::vector<int> all = c.gather(std::vector<int>(static_cast<std::size_t>(c.rank()), c.rank()), 0);
        std::vector<int> expected;
        for (int rank = 0; rank < c.size() && c.isMaster(); ++rank) expected.insert(expected.end(), static_cast<std::size_t>(rank), rank);
        CHECK(all == expected);
    });
}

TEST_CASE("Connector: collectives do not take the user's messages, nor the reverse") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), 1);
        c.barrier();
        CHECK(c.broadcast(2, 0) == 2);
        c.send(nextRank(c), 3);
        c.barrier();
        CHECK(c.receive<int>(previousRank(c)) == 1);
        CHECK(c.receive<int>(previousRank(c)) == 3);
    });
}

TEST_CASE("Connector: throwOn wakes a rank that is blocked in a receive") {
    onRanks(
        [](Connector& c) {
            if (c.rank() == 1) {
                c.throwOn(0, Overloaded(30, {"A", "B"}));
                CHECK(c.receive<int>(0) == 9);
            } else if (c.rank() == 0) {
                try {
                    c.receive<std::string>(1);    // no rank ever sends it
                    FAIL_CHECK("the receive returned");
                } catch (const Overloaded& e) {
                    CHECK(e.limit == 30);
                    CHECK(e.rooms == std::vector<std::string>{"A", "B"});
                    CHECK(e.what() == std::string("more than there is room for"));
                    CHECK(e.isRemote());
                    CHECK(e.origin().rank == 1);
                }
                c.send(1, 9);    // the connector is usable afterwards
            }
        },
        2);
}

TEST_CASE("Connector: throwOn wakes a rank that is blocked in a collective") {
    onRanksThatFail(
        [](Connector& c) {
            const int last = c.size() - 1;
            if (c.rank() == last) {
                for (int rank = 0; rank < last; ++rank) c.throwOn(rank, std::domain_error("matrix is singular"));
                c.flush();
                return;
            }
            CHECK_THROWS_WITH_AS(c.barrier(), "matrix is singular", std::domain_error);
        },
        2);
}

TEST_CASE("Connector: throwOn reaches a rank that waits for the one who threw, though that has left by then") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() == 0) {
                for (int rank = 1; rank < c.size(); ++rank) c.receive<bool>(rank);    // waits until the rank is ready
                for (int rank = 1; rank < c.size(); ++rank) c.throwOn(rank, std::domain_error("matrix is singular"));
            } else {
                c.send(0, true);
                CHECK_THROWS_WITH_AS(c.receive<int>(0), "matrix is singular", std::domain_error);
                CHECK_THROWS_AS(c.receive<int>(0), RankHasLeft);
            }
            detail::mailboxOf(c).departures().sayFarewell();
            c.flush();
        },
        2);
}

TEST_CASE("Connector: an exception that finds nobody waiting is thrown from the next use") {
    onRanks([](Connector& c) {
        c.throwOn(c.rank(), std::out_of_range("vector index 7"));
        bool hasThrown = false;
        while (!hasThrown) {
            try {
                c.poll();
            } catch (const std::out_of_range& e) {
                hasThrown = true;
                CHECK(e.what() == std::string("vector index 7"));
            }
        }
        c.poll();    // throws once only
    });
}

TEST_CASE("Connector: throwOn sends an exception caught by its base class whole, and refuses to lose its own class") {
    onRanks([](Connector& c) {
        try {
            throw std::out_of_range("vector index 8");
        } catch (const std::exception& e) {
            c.throwOn(c.rank(), e);
        }
        const auto waitForIt = [&] {
            for (;;) c.poll();
        };
        CHECK_THROWS_WITH_AS(waitForIt(), "vector index 8", std::out_of_range);
        const std::out_of_range stored("x");
        const std::exception& base = stored;
        CHECK_THROWS_AS(c.throwOn(c.rank(), base), UsageError);
    });
}

TEST_CASE("Connector: a message that reads less than it wrote is an error that names the class, and the next message arrives") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), Lopsided());
        c.send(nextRank(c), Ping(8));
        CHECK_THROWS_AS(c.receive<Lopsided>(previousRank(c)), SerializationError);
        CHECK(c.receive<Ping>(previousRank(c)).number == 8);
    });
}

TEST_CASE("Connector: more elements without ints than a receiver accepts are refused where they are sent") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(c.send(nextRank(c), std::vector<Nothing>(1'000'000)), UsageError);
        c.send(nextRank(c), std::vector<Nothing>(1000));
        CHECK(c.receive<std::vector<Nothing>>(previousRank(c)).size() == 1000);
    });
}

TEST_CASE("Connector: a rank that does not exist is refused by every verb") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(c.send(c.size(), 1), UsageError);
        CHECK_THROWS_AS(c.send(-1, 1), UsageError);
        CHECK_THROWS_AS(c.receive<int>(c.size()), UsageError);
        CHECK_THROWS_AS(c.receive(-2), UsageError);
        CHECK_THROWS_AS(c.broadcast(1, c.size()), UsageError);
        CHECK_THROWS_AS(c.gather(1, -1), UsageError);
        CHECK_THROWS_AS(c.throwOn(c.size(), std::logic_error("x")), UsageError);
        CHECK_THROWS_AS(c.throwOn(0, std::exception_ptr()), UsageError);
    });
}
