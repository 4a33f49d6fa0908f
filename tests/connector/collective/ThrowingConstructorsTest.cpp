// Values whose constructors throw, in collectives. Such an exception is a failure of the collective, and the ranks stay in step.
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace throwingconstructorstest {

constexpr const char* broken = "the load breaks on the way";

/// A value that breaks when it is moved while it is heavy, and when it is copied while it is fragile.
struct Load {
    Load() = default;
    explicit Load(int theWeight) : weight(theWeight) {}
    Load(const Load& other) : weight(other.weight), isFragile(other.isFragile) {
        if (isFragile) throw std::runtime_error(broken);
    }
    Load(Load&& other) : weight(other.weight), isFragile(other.isFragile) { check(); }
    Load& operator=(const Load&) = default;
    Load& operator=(Load&& other) {
        weight = other.weight, isFragile = other.isFragile;
        check();
        return *this;
    }
    ~Load() = default;
    void check() const {
        if (weight >= 1000) throw std::runtime_error(broken);
    }
    FERRY_FIELDS(weight, isFragile)
    int weight = 0;
    bool isFragile = false;
};

/// A plain value whose default constructor throws on a rank that is armed.
struct Fused {
    Fused() {
        if (isArmed) throw std::runtime_error(broken);
    }
    explicit Fused(int theWeight) : weight(theWeight) {}
    static inline thread_local bool isArmed = false;
    int weight = 0;
    FERRY_FIELDS(weight)
};

Fused bothFused(const Fused& left, const Fused& right) { return Fused(left.weight + right.weight); }

Load both(const Load& left, const Load& right) { return Load(left.weight + right.weight); }

/// Whether the call throws the exception of a load. Any other exception passes.
template <class Call>
bool breaks(Call call) {
    try {
        call();
    } catch (const std::runtime_error& error) {
        if (std::string_view(error.what()) != broken) throw;
        return true;
    }
    return false;
}

void checkInStep(Connector& c) { CHECK(c.allReduce(1, Sum{}) == c.size()); }

}    // namespace throwingconstructorstest

using namespace throwingconstructorstest;

TEST_CASE("Throwing moves: an own value that cannot be moved is a failure of the collective on all ranks that need it") {
    onRanks([](Connector& c) {
        for (int faulty = 0; faulty < c.size(); ++faulty) {
            const bool isFaulty = c.rank() == faulty;
            const Load own(isFaulty ? 1000 : 1);
            CHECK(breaks([&] { c.allReduce(own, both); }));
            checkInStep(c);
            CHECK(breaks([&] { c.scan(own, both); }) == (c.rank() >= faulty));
            checkInStep(c);
            CHECK(breaks([&] { c.allGather(own); }));
            checkInStep(c);
            Load fragile(1);
            fragile.isFragile = isFaulty;
            CHECK(breaks([&] { c.allGather(fragile); }));
            checkInStep(c);
            CHECK(breaks([&] { c.allReduce(fragile, both); }));
            checkInStep(c);
        }
    });
}

TEST_CASE("Throwing moves: a combined value that cannot be moved is a failure of the collective") {
    onRanks([](Connector& c) {
        if (c.size() < 2) return;
        const Load own(1000 / c.size() + 1);    // the sum of all is heavy
        CHECK(breaks([&] { c.allReduce(own, both); }));
        checkInStep(c);
        CHECK(breaks([&] { c.startAllReduce(own, both).get(); }));
        checkInStep(c);
        CHECK(breaks([&] { c.startScan(own, both).get(); }) == (c.rank() + 1 == c.size()));
        checkInStep(c);
    });
}

TEST_CASE("Throwing constructors: no rank waits for one that cannot make room for its result") {
    onRanks([](Connector& c) {
        const Fused own(1);
        const std::vector<Fused> each(static_cast<std::size_t>(c.size()), own);
        for (int faulty = 0; faulty < c.size(); ++faulty) {
            const auto run = [&](auto call) {    // where letters carry the values, some ranks make no room
                Fused::isArmed = c.rank() == faulty;
                breaks(call);
                Fused::isArmed = false;
                checkInStep(c);
            };
            run([&] { c.allReduce(own, bothFused); });
            run([&] { c.reduce(own, bothFused); });
            run([&] { c.scan(own, bothFused); });
            run([&] { c.scatter(each); });
        }
    });
}
