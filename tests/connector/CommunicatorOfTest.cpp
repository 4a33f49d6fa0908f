#include <ferry/connector/communicatorOf.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <mpi.h>

#include <ferry/connector/datatypeOf.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/mpi/MpiBases.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace communicatorOfTest {

/// Whether the new communicator has the ranks of the connector, in their order, and works.
bool works(Connector& c) {
    MPI_Comm made = makeCommunicator(c);
    int rank = -1, sum = 0;
    MPI_Comm_rank(made, &rank);
    const int rankInJob = c.rankInJob(c.rank());
    MPI_Allreduce(&rankInJob, &sum, 1, MPI_INT, MPI_SUM, made);
    MPI_Comm_free(&made);
    return rank == c.rank() && sum == c.allReduce(rankInJob, Sum{});
}

detail::MpiBases& basesOf(Connector& c) { return *detail::basesOf(detail::mailboxOf(c).transport()); }

}    // namespace communicatorOfTest

TEST_CASE("communicatorOf: the communicator of the processes, and an error for threads and groups") {
    onRanks([](Connector& c) {
        if (detail::MpiEnvironment::isPresent()) {
            int rank = -1;
            int size = 0;
            MPI_Comm_rank(communicatorOf(c), &rank);
            MPI_Comm_size(communicatorOf(c), &size);
            CHECK(rank == c.rank());
            CHECK(size == c.size());
            int sum = 0;
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicatorOf(c));
            CHECK(sum == size * (size - 1) / 2);
        } else {
            CHECK_THROWS_WITH_AS(communicatorOf(c), doctest::Contains("threads"), UsageError);
        }
        CHECK_THROWS_WITH_AS(communicatorOf(*c.duplicate()), doctest::Contains("group"), UsageError);
    });
}

TEST_CASE("makeCommunicator: a communicator of a connector's ranks, in their order, again and again") {
    onRanks([](Connector& c) {
        const auto reversed = c.split(c.rank() % 2, -c.rank());
        for (Connector* connector : {&c, reversed.get()}) {
            if (!detail::MpiEnvironment::isPresent()) {
                CHECK_THROWS_WITH_AS(makeCommunicator(*connector), doctest::Contains("threads"), UsageError);
                continue;
            }
            for (int round = 0; round < 20; ++round) {
                MPI_Comm made = makeCommunicator(*connector);
                int rank = -1;
                MPI_Comm_rank(made, &rank);
                CHECK(rank == connector->rank());
                int sum = 0;
                MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
                CHECK(sum == connector->size() * (connector->size() - 1) / 2);
                MPI_Comm_free(&made);
            }
        }
    });
}

TEST_CASE("makeCommunicator: the program's own handling of errors is kept, and is the new communicator's") {
    onRanks([](Connector& c) {
        if (!detail::MpiEnvironment::isPresent()) return;
        const auto all = c.duplicate();
        const MPI_Comm around = communicatorOf(c);
        const auto handlerOf = [](MPI_Comm communicator) {
            MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
            MPI_Comm_get_errhandler(communicator, &handler);
            return handler;
        };
        const MPI_Errhandler before = handlerOf(around);
        for (const MPI_Errhandler own : {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN}) {
            MPI_Comm_set_errhandler(around, own);
            MPI_Comm made = makeCommunicator(*all);
            CHECK(handlerOf(around) == own);
            CHECK((handlerOf(made) == MPI_ERRORS_RETURN) == (own == MPI_ERRORS_RETURN));
            MPI_Comm_free(&made);
        }
        MPI_Comm_set_errhandler(around, before);
    });
}

TEST_CASE("makeCommunicator: a rank that fails before wakes the others") {
    onRanks([](Connector& c) {
        if (!detail::MpiEnvironment::isPresent() || c.size() < 2) return;
        const auto all = c.duplicate();
        CHECK_THROWS_AS(all->guarded([&] {
            if (all->rank() == 1) throw std::domain_error("no grid");
            MPI_Comm made = makeCommunicator(*all);
            MPI_Comm_free(&made);
        }),
                        ExceptionList);
    });
}

TEST_CASE("makeCommunicator: ranks that are left make communicators, and a group with a lost rank throws") {
    onRanksThatFail(
        [](Connector& c) {
            if (!detail::MpiEnvironment::isPresent()) return;
            const int last = c.size() - 1;
            const auto all = c.duplicate();
            const auto others = c.split(c.rank() == last ? std::nullopt : std::optional(0), -c.rank());
            if (c.rank() == last) return detail::mailboxOf(c).departures().sayFarewell();
            CHECK(communicatorOfTest::works(*others));
            detail::mailboxOf(c).departures().lose({last, "was killed"});
            for (int round = 0; round < 5; ++round) CHECK(communicatorOfTest::works(*others));
            CHECK_THROWS_AS(makeCommunicator(*all), LostRank);
            CHECK(communicatorOfTest::works(*others));
        },
        2);
}

TEST_CASE("makeCommunicator: where bases are used, one for the same ranks, and a new one when a rank has dropped it") {
    onRanks([](Connector& c) {
        if (!detail::MpiEnvironment::isPresent() || c.size() < 3) return;
        detail::MpiBases& bases = communicatorOfTest::basesOf(c);
        const auto all = c.duplicate();
        const auto some = c.split(c.rank() == 0 ? std::nullopt : std::optional(0), -c.rank());
        std::vector<int> ranks;
        for (int rank = 1; rank < c.size(); ++rank) ranks.push_back(rank);
        if (some) CHECK(communicatorOfTest::works(*some));
        CHECK(bases.baseOf(ranks) == 0);
        bases.use();
        if (some) CHECK(communicatorOfTest::works(*some));
        const int first = bases.baseOf(ranks);
        CHECK((first == 0) == (c.rank() == 0));
        for (int round = 0; round < 5 && some; ++round) CHECK(communicatorOfTest::works(*some));
        CHECK(bases.baseOf(ranks) == first);
        if (c.rank() == 1) bases.drop(first);
        if (some) CHECK(communicatorOfTest::works(*some));
        CHECK((bases.baseOf(ranks) > first) == (c.rank() != 0));
        const int second = bases.baseOf(ranks);
        CHECK(communicatorOfTest::works(*all));
        ranks.push_back(0);
        CHECK(bases.baseOf(ranks) > second);
        if (some) CHECK(communicatorOfTest::works(*some));
        CHECK(communicatorOfTest::works(c));
    });
}

TEST_CASE("MpiBases: communicators of the ranks of a base, in the order wanted, until it is dropped") {
    onRanks([](Connector& c) {
        if (!detail::MpiEnvironment::isPresent() || c.size() < 3) return;
        detail::MpiBases bases(communicatorOf(c), false);
        CHECK_FALSE(bases.areUsed());
        CHECK(bases.baseOf({c.rank()}) == 0);
        MPI_Comm made = MPI_COMM_NULL;
        CHECK(bases.make(3, {c.rank()}, 0, &made) != MPI_SUCCESS);
        if (c.rank() > 2) return;
        CHECK(bases.add({2, 0, 1}, 5) == MPI_SUCCESS);
        CHECK(bases.baseOf({1, 0, 2}) == 5);
        CHECK(bases.baseOf({1, 0}) == 0);
        CHECK(bases.proposeNumber() > 5);
        if (c.rank() == 1) return;
        CHECK(bases.add({0, 2}, 7) == MPI_SUCCESS);
        CHECK(bases.add({2, 0}, 9) == MPI_SUCCESS);
        CHECK(bases.baseOf({2, 0}) == 9);
        CHECK(bases.make(7, {2, 0}, 0, &made) != MPI_SUCCESS);
        REQUIRE(bases.make(9, {2, 0}, 0, &made) == MPI_SUCCESS);
        int rank = -1;
        MPI_Comm_rank(made, &rank);
        CHECK(rank == (c.rank() == 2 ? 0 : 1));
        MPI_Comm_free(&made);
        bases.drop(9);
        CHECK(bases.baseOf({0, 2}) == 0);
        CHECK(bases.baseOf({0, 1, 2}) == 5);
    });
}

TEST_CASE("communicatorOf: simulated ranks have none") {
    const auto result = simulate(2, 1, [](Connector& c) { CHECK_THROWS_AS(communicatorOf(c), UsageError); });
    CHECK(result.haveAllReturned());
}

namespace datatypeOfTest {

struct Speed {
    float x = 0, y = 0;
    char unit = 'm';
};
struct Mass {
    double weight = 1;
    char kind = 'a';
    Speed speed[2];
    short marks[3] = {};
    std::string name;
    bool isFixed = false;
};
struct Sent : View<&Mass::kind, inside<&Mass::speed, View<&Speed::y, &Speed::unit>>, &Mass::marks, &Mass::isFixed> {};

}    // namespace datatypeOfTest

TEST_CASE("datatypeOf: calls of MPI send the members of a view, also of several objects") {
    using namespace datatypeOfTest;
    onRanks([](Connector& c) {
        if (!detail::MpiEnvironment::isPresent()) return;
        std::vector<Mass> own(2), other(2);
        for (Mass& each : own) {
            each.weight = 2;
            each.kind = static_cast<char>('b' + c.rank());
            each.speed[1] = {1, static_cast<float>(c.rank()), 'k'};
            each.marks[2] = static_cast<short>(c.rank() + 5);
            each.name = "sender";
            each.isFixed = true;
        }
        MPI_Datatype type = datatypeOf<Sent>(own[0]);
        int bytes = 0;
        MPI_Type_size(type, &bytes);
        CHECK(bytes == 1 + 2 * 5 + 3 * 2 + 1);
        MPI_Sendrecv(own.data(), 2, type, nextRank(c), 0, other.data(), 2, type, previousRank(c), 0, communicatorOf(c), MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
        for (const Mass& each : other) {
            CHECK(each.weight == 1);
            CHECK(each.kind == static_cast<char>('b' + previousRank(c)));
            CHECK(each.speed[1].x == 0);
            CHECK(each.speed[1].y == static_cast<float>(previousRank(c)));
            CHECK(each.speed[1].unit == 'k');
            CHECK(each.marks[2] == previousRank(c) + 5);
            CHECK(each.name.empty());
            CHECK(each.isFixed);
        }
    });
}
