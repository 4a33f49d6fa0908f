#include <ferry/connector/collective/host/PlainBytes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

struct Bare {    // a struct of another library, with a C array and padding at its end
    double place[3];
    int number;
};

struct Made {    // with a constructor
    Made() {}
    Made(double x_, int kind_) : x(x_), y(2 * x_), z(3 * x_), kind(kind_) {}
    FERRY_FIELDS(x, y, z, number, kind)
    double x = 0, y = 0, z = 0;
    int number = 0, kind = 0;
};

class Hidden {    // with private members, and room at its end that may be a member
public:
    Hidden() {}
    explicit Hidden(int number) : place_{1.0 * number, 2.0 * number, 3.0 * number}, number_(number) {}
    FERRY_FIELDS(place_, number_)
    int number() const { return number_; }
    double last() const { return place_[2]; }

private:
    double place_[3]{};
    int number_ = 0;
};

struct Remembering {    // with a member that stays behind
    Remembering() {}
    FERRY_FIELDS_SOME(number, weight)
    int number = 0;
    int seen = 7;
    double weight = 0;
};

struct Padded {
    char letter;
    double weight;
    short few;
};

struct Fields {
    int bits : 3;
    int others : 5;
};
struct Pointing {
    int* number;
};

static_assert(PlainData<Bare> && PlainData<Made> && PlainData<Hidden> && PlainData<Remembering> && PlainData<Padded>);
static_assert(PlainData<std::array<Made, 3>> && !PlainData<Pointing> && !PlainData<std::string>);
#if !defined(__clang__)
static_assert(!PlainData<Fields>);
#endif
static_assert(sizeof(Bare) == 32 && sizeof(Made) == 32 && sizeof(Hidden) == 32);

/// Makes elements in memory that held something else before, so that their padding is not zero.
template <class T>
class Dirty {
public:
    explicit Dirty(std::size_t count) : count_(count), memory_(count * sizeof(T), std::byte{0xaa}) {
        for (std::size_t i = 0; i < count; ++i) ::new (memory_.data() + i * sizeof(T)) T;    // leaves padding as it is
    }
    T* data() { return reinterpret_cast<T*>(memory_.data()); }
    std::span<T> elements() { return {data(), count_}; }

private:
    std::size_t count_;
    std::vector<std::byte> memory_;
};

/// Counts the bytes of foreign memory in the elements.
template <class T>
std::size_t dirtyBytes(std::span<const T> elements) {
    const std::span<const std::byte> bytes = std::as_bytes(elements);
    return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), std::byte{0xaa}));
}

void fillPadded(std::span<Padded> elements, int rank) {
    for (Padded& each : elements) each.letter = static_cast<char>('a' + rank), each.weight = rank, each.few = static_cast<short>(rank);
}

}    // namespace

TEST_CASE("PlainBytes: structs with constructors, C arrays and private members go through every plain call") {
    onRanks([](Connector& c) {
        const auto rankCount = static_cast<std::size_t>(c.size());
        std::vector<Made> made(3, Made(c.rank(), 5));
        const std::vector<Made> all = c.allGather(made);
        REQUIRE(all.size() == 3 * rankCount);
        CHECK((all.back().z == 3.0 * (c.size() - 1) && all.back().kind == 5));
        std::vector<Made> memory(3 * rankCount);
        CHECK(c.allGather(made, {.into = std::span<Made>(memory)}).size() == 3 * rankCount);
        CHECK(memory.back().z == 3.0 * (c.size() - 1));
        c.broadcast(std::span<Made>(made));
        CHECK(made[2].x == 0);

        const Bare bare{{1, 2, 3.0 + c.rank()}, 10 + c.rank()};
        const std::vector<Bare> bares = c.gather(bare);
        if (c.rank() == 0) {
            CHECK((bares.back().place[2] == 2.0 + c.size() && bares.back().number == 9 + c.size()));
        }

        const std::vector<Hidden> own(2, Hidden(c.rank()));
        const std::vector<Hidden> hidden = c.allGather(own);
        CHECK((hidden.back().number() == c.size() - 1 && hidden.back().last() == 3.0 * (c.size() - 1)));
        const auto later = [](const Hidden& left, const Hidden& right) { return left.number() < right.number() ? right : left; };
        CHECK(c.allReduce(Hidden(c.rank()), later).number() == c.size() - 1);
        const std::vector<Hidden> exchanged = c.allToAll(std::vector<Hidden>(rankCount, Hidden(c.rank())));
        CHECK(exchanged.back().last() == 3.0 * (c.size() - 1));
        CHECK(c.scatter(std::vector<Hidden>(rankCount, Hidden(4))).number() == 4);
    });
}

TEST_CASE("PlainBytes: members that are not listed stay as they are in place, and are new by value") {
    onRanks([](Connector& c) {
        std::vector<Remembering> own(2);
        for (Remembering& each : own) each.number = c.rank(), each.seen = 100 + c.rank(), each.weight = 0.5 * c.rank();
        std::vector<Remembering> all = c.allGather(own);
        CHECK((all.back().number == c.size() - 1 && all.back().weight == 0.5 * (c.size() - 1)));
        CHECK(all.back().seen == 7);
        for (Remembering& each : all) each.seen = 3;
        c.allGather(own, {.into = std::span<Remembering>(all)});
        CHECK(all.back().seen == 3);
        CHECK(all.back().number == c.size() - 1);
        c.broadcast(std::span<Remembering>(own));
        CHECK((own[1].number == 0 && own[1].seen == 100 + c.rank()));
    });
}

TEST_CASE("PlainBytes: padding does not leave the process") {
    onRanks([](Connector& c) {
        const auto rankCount = static_cast<std::size_t>(c.size());
        Dirty<Padded> own(3);
        fillPadded(own.elements(), c.rank());
        REQUIRE(dirtyBytes<Padded>(own.elements()) >= 3 * 13);
        const auto isClean = [&](std::span<const Padded> received, std::size_t first) {    // of other ranks
            return dirtyBytes(received.subspan(first)) == 0;
        };
        const std::size_t other = c.rank() == 0 ? 3 * (rankCount - 1) : 0;    // where elements of another rank begin
        std::vector<Padded> memory(3 * rankCount);
        const auto toAll = [&] {
            std::memset(static_cast<void*>(memory.data()), 0, memory.size() * sizeof(Padded));
            c.allGather(own.elements(), {.into = std::span<Padded>(memory)});
        };
        toAll();
        if (rankCount > 1) CHECK(isClean(std::span<const Padded>(memory).subspan(other, 3), 0));
        CHECK(memory.back().weight == c.size() - 1);

        std::vector<Padded> copy(own.elements().begin(), own.elements().end());
        std::memcpy(static_cast<void*>(copy.data()), own.data(), 3 * sizeof(Padded));
        const std::vector<Padded> all = c.allGather(copy);
        // Values that come by letters are made here, in memory that may have held the elements above.
        const bool comeByLetters = std::getenv("FERRY_HOST_MEMORY") != nullptr;
        if (rankCount > 1 && !comeByLetters) CHECK(isClean(std::span<const Padded>(all).subspan(other, 3), 0));

        std::vector<Padded> target(3);
        std::memset(static_cast<void*>(target.data()), 0, 3 * sizeof(Padded));
        if (c.rank() == 0) std::memcpy(static_cast<void*>(target.data()), own.data(), 3 * sizeof(Padded));
        c.broadcast(std::span<Padded>(target));
        if (c.rank() != 0) CHECK(isClean(target, 0));
        CHECK(target[2].letter == 'a');
    });
}

TEST_CASE("PlainBytes: padding is in no message") {
    Dirty<Padded> dirty(2);
    fillPadded(dirty.elements(), 1);
    const Ints ints = intsOf(std::span<const Padded>(dirty.elements()));
    for (const std::int32_t each : ints) CHECK((static_cast<std::uint32_t>(each) & 0xffff0000u) != 0xaaaa0000u);
    CHECK(ints.size() == 1 + 2 * 4);
    const detail::SentBytes<Padded> sent(std::span<const Padded>(dirty.elements()));
    std::vector<Padded> received(2);
    std::memcpy(static_cast<void*>(received.data()), sent.data(), 2 * sizeof(Padded));
    CHECK(dirtyBytes<Padded>(received) == 0);
    CHECK((received[1].letter == 'b' && received[1].weight == 1 && received[1].few == 1));
}
