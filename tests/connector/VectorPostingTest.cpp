#include <ferry/connector/message/pending/VectorPosting.hpp>

#include <cstddef>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Everywhere.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;

namespace vectorpostingtest {

std::vector<double> rampOf(std::size_t count, double first) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

/// The most memory that this process has used so far, in KiB.
std::ptrdiff_t peakKiB() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word != "VmHWM:") continue;
        std::ptrdiff_t amount = 0;
        status >> amount;
        return amount;
    }
    return 0;
}

struct Unwritable {
    int number = 0;
    void writeToInts(IntWriter& out) const {
        if (number < 0) throw std::range_error("not this one");
        out << number;
    }
    void readFromInts(IntReader& in) { in >> number; }
};

}    // namespace vectorpostingtest

using namespace vectorpostingtest;

TEST_CASE("post: a vector that is handed over arrives, and get() gives its memory back") {
    onRanksAndSimulated([](Connector& c) {
        for (const std::size_t count : {0, 3, 5000, 300'000}) {
            std::vector<double> values = rampOf(count, c.rank());
            const double* const place = values.data();
            Pending<std::vector<double>> leaving = c.post(nextRank(c), std::move(values), Tag(1));
            CHECK(c.receive<std::vector<double>>(previousRank(c), Tag(1)) == rampOf(count, previousRank(c)));
            const std::vector<double> back = leaving.get();
            CHECK(back.data() == place);
            CHECK(back == rampOf(count, c.rank()));
            CHECK_FALSE(leaving.isUnderWay());
        }
    });
}

TEST_CASE("post: a handed-over vector is taken in during other calls") {
    onRanksAndSimulated([](Connector& c) {
        Pending<std::vector<double>> first = c.post(nextRank(c), rampOf(100'000, 1));
        Pending<std::vector<double>> second = c.post(nextRank(c), rampOf(200'000, 2));
        c.barrier();
        const std::vector<double> back = first.get();    // nobody waits for it
        CHECK(back == rampOf(100'000, 1));
        while (!second.ready()) {}
        Pending<std::vector<double>> expected = c.expect<std::vector<double>>(previousRank(c));
        CHECK(expected.get() == rampOf(100'000, 1));
        std::vector<double> target(10);
        c.receiveInto(previousRank(c), target);
        CHECK(target == rampOf(200'000, 2));
        CHECK(second.get() == rampOf(200'000, 2));
    });
}

TEST_CASE("post: handed-over vectors of other types, of bytes, strings and vectors") {
    onRanksAndSimulated([](Connector& c) {
        auto bytes = c.post(nextRank(c), std::vector<char>(100'003, 'b'));
        auto texts = c.post(nextRank(c), std::vector<std::string>{"a", std::string(100'000, 'c')});
        auto rows = c.post(nextRank(c), std::vector<std::vector<int>>(100, std::vector<int>(10'000, 4)));
        auto flags = c.post(nextRank(c), std::vector<bool>(50, true));
        CHECK(c.receive<std::vector<bool>>() == std::vector<bool>(50, true));
        CHECK(c.receive<std::vector<std::vector<int>>>() == std::vector<std::vector<int>>(100, std::vector<int>(10'000, 4)));
        CHECK(c.receive<std::vector<std::string>>().at(1) == std::string(100'000, 'c'));
        CHECK(c.receive<std::vector<char>>() == std::vector<char>(100'003, 'b'));
        CHECK(rows.get().at(99).size() == 10'000);
        CHECK(texts.get().at(0) == "a");
        CHECK(bytes.get().size() == 100'003);
        CHECK(flags.get().size() == 50);
    });
}

TEST_CASE("post: a handed-over vector may be forgotten") {
    onRanksAndSimulated([](Connector& c) {
        { const Pending<std::vector<double>> dropped = c.post(nextRank(c), rampOf(100'000, 1)); }
        CHECK(c.receive<std::vector<double>>() == rampOf(100'000, 1));
    });
}

TEST_CASE("post: after an exception the caller still has the vector") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<double> values = rampOf(100'000, 1);
        CHECK_THROWS_AS(static_cast<void>(c.post(c.size(), std::move(values))), UsageError);
        CHECK(values.size() == 100'000);
        std::vector<Unwritable> unwritable{{1}, {-1}};
        CHECK_THROWS_AS(static_cast<void>(c.post(nextRank(c), std::move(unwritable))), std::range_error);
        CHECK(unwritable.size() == 2);
        c.barrier();
        CHECK_FALSE(c.tryProbe().has_value());
    });
}

TEST_CASE("post: a vector posted in a region that fails comes back, and never arrives") {
    onRanksAndSimulated(
        [](Connector& c) {
            Pending<std::vector<double>> leaving;
            CHECK_THROWS_AS(c.guarded([&] {
                leaving = c.post(nextRank(c), rampOf(100'000, 1));
                c.barrier();
                if (c.rank() == 0) throw std::range_error("in the region");
                c.receive<int>();
            }),
                            ExceptionList);
            CHECK(leaving.get() == rampOf(100'000, 1));
            c.barrier();
            CHECK_FALSE(c.tryProbe().has_value());
        },
        2);
}

TEST_CASE("post: in a group a handed-over vector arrives and comes back") {
    onRanksAndSimulated([](Connector& c) {
        const auto group = c.split(c.rank() % 2);
        Pending<std::vector<double>> leaving = group->post(nextRank(*group), rampOf(100'000, group->rank()));
        CHECK(group->receive<std::vector<double>>() == rampOf(100'000, previousRank(*group)));
        CHECK(leaving.get() == rampOf(100'000, group->rank()));
        c.barrier();
    });
}

TEST_CASE("post: a very large vector leaves from where it lies, and the process needs less than 1 MiB more") {
    onRanks(
        [](Connector& c) {
            constexpr std::size_t sizeMiB = isSanitized ? 16 : 256;    // sanitizers need a multiple of the memory
            constexpr std::size_t count = (sizeMiB << 20) / sizeof(double);
            constexpr std::ptrdiff_t resultKiB = std::ptrdiff_t{sizeMiB} << 10;
            std::vector<double> values;
            if (c.rank() == 0) values.assign(count, 1.5);
            c.barrier();
            if (c.rank() > 1) return;
            // Rank 1 has left the barrier when its word arrives. A rank that is still in the barrier would copy the vector into a letter.
            if (c.rank() == 0) c.receive<bool>(1);
            const std::ptrdiff_t before = peakKiB();
            if (c.rank() == 0) {
                Pending<std::vector<double>> leaving = c.post(1, std::move(values));
                CHECK(leaving.get().size() == count);
            } else {
                c.send(0, true);
                CHECK(c.receive<std::vector<double>>(0).back() == 1.5);
            }
            const bool isProcess = detail::MpiEnvironment::isPresent();
            const std::ptrdiff_t allowedKiB = 1024 + (isProcess ? 0 : resultKiB);    // between threads the receiver's vector counts
            // A sanitizer's own memory counts in the peak, so the figure means nothing there.
            if (c.rank() == 0 && !isSanitized) CHECK(peakKiB() - before < allowedKiB);
        },
        2);
}
