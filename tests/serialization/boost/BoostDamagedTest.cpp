// Damaged input: truncated at any place, or with one int changed. The reader refuses it, or reads it as a whole.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <ferry/tests/serialization/RoundTrip.hpp>
#include <ferry/tests/serialization/boost/LegacyTypes.hpp>

using ferry::test::Ints;
using ferry::test::intsOf;

namespace {

template <class T>
bool isRefused(const Ints& ints) {
    try {
        T value{};
        ferry::IntReader in(ints);
        in >> value;
        in.expectEnd();
        return false;
    } catch (const ferry::SerializationError&) {
        return true;
    }
}

template <class T>
void checkCutOff(const T& value) {
    const Ints ints = intsOf(value);
    static_cast<void>(ferry::test::valueOf<T>(ints));
    for (std::size_t count = 0; count < ints.size(); ++count) {
        CAPTURE(count);
        CHECK(isRefused<T>(Ints(ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(count))));
    }
}

/// Changes each int to values that are likely to do harm: values of other ints of the stream, and the limits of the ranges.
template <class T>
void checkChanged(const T& value, std::size_t timesPerInt) {
    const Ints good = intsOf(value);
    std::mt19937 random(7);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::vector<std::int32_t> bad{0, 1, 2, 3, -1, -2, 0x7fffffff, static_cast<std::int32_t>(0x80000000), good[i] + 1, good[i] - 1};
        while (bad.size() < timesPerInt) {
            bad.push_back(random() % 2 == 0 ? good[random() % good.size()] : static_cast<std::int32_t>(random()));
        }
        for (const std::int32_t changed : bad) {
            Ints ints = good;
            ints[i] = changed;
            const ferry::test::AllocationWatch watch;
            refused += isRefused<T>(ints) ? 1 : 0;
            CHECK(watch.largestBytes() <= 65536 + 64 * sizeof(std::int32_t) * good.size());
        }
    }
    CHECK(refused > good.size());
}

}    // namespace

TEST_CASE("Damaged archives: cut off anywhere, they are refused") {
    checkCutOff(legacy::Account("Ada", 5));
    checkCutOff(legacy::Place{1, 2, legacy::Season::Summer, true, {1, 2, 3}});
    checkCutOff(legacy::Squares({1, 2, 3}));
    checkCutOff(legacy::Settings{1, "title"});
    checkCutOff(legacy::makeDiary());
    checkCutOff(legacy::makeZoo());
    checkCutOff(legacy::makeHousehold());
}

TEST_CASE("Damaged archives: with one int changed, they are refused or read whole") {
    checkChanged(legacy::Place{1, 2, legacy::Season::Summer, true, {1, 2, 3}}, 40);
    checkChanged(legacy::Settings{1, "title"}, 40);
    checkChanged(legacy::makeDiary(), 40);
    checkChanged(legacy::makeZoo(), 60);
    checkChanged(legacy::makeHousehold(), 60);
}

TEST_CASE("Damaged archives: raw pointers are freed by the archive") {
    const auto nodes = legacy::makeGraph();
    const legacy::Node* root = nodes[0].get();
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        ferry::BoostOutputArchive(out) << root;
    }
    const Ints good(buffer.ints().begin(), buffer.ints().end());
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const std::int32_t changed : {0, 1, 2, 3, 4, -1, -2, 1000, 0x7fffffff}) {
            Ints ints = good;
            ints[i] = changed;
            ferry::IntReader in(ints);
            std::optional<ferry::BoostInputArchive> archive;
            legacy::Node* read = nullptr;
            try {
                archive.emplace(in);
                *archive >> read;
            } catch (const ferry::SerializationError&) {}
            if (archive.has_value()) archive->delete_created_pointers();
        }
    }
}

namespace {

struct TwoOwners {
    std::unique_ptr<legacy::Rock> first = std::make_unique<legacy::Rock>();
    std::unique_ptr<legacy::Rock> second = std::make_unique<legacy::Rock>();
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& first& second;
    }
};

struct TwoClasses {
    std::shared_ptr<legacy::Rock> rock = std::make_shared<legacy::Rock>();
    std::shared_ptr<legacy::Member> member = std::make_shared<legacy::Member>();
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& rock& member;
    }
};

template <class T>
std::string errorOfBoosted(const Ints& ints) {
    T value;
    ferry::IntReader in(ints);
    try {
        in >> ferry::boosted(value);
    } catch (const ferry::SerializationError& error) {
        return error.what();
    }
    return "no error";
}

/// Replaces one int by the forged one, at each place where the original stands. Returns the errors of the reader.
template <class T>
std::string errorsWhenForged(const T& value, std::int32_t original, std::int32_t forged) {
    std::string errors;
    const Ints good = intsOf(ferry::boosted(value));
    for (std::size_t i = 0; i < good.size(); ++i) {
        if (good[i] != original) continue;
        Ints ints = good;
        ints[i] = forged;
        errors += errorOfBoosted<T>(ints) + "\n";
    }
    return errors;
}

}    // namespace

TEST_CASE("Damaged archives: no object gets two owners, and none becomes another class") {
    const std::string owners = errorsWhenForged(TwoOwners(), 1, 0);    // object 1 becomes object 0
    CHECK_MESSAGE(owners.find("expected an object that nobody owns yet") != std::string::npos, owners);
    const std::string classes = errorsWhenForged(TwoClasses(), 1, 0);
    CHECK_MESSAGE(classes.find("object 0 of another class") != std::string::npos, classes);
}

TEST_CASE("Damaged archives: objects that own themselves are refused, unless they are allowed") {
    const auto first = std::make_shared<legacy::Member>();
    first->children.push_back(std::make_shared<legacy::Member>());
    first->children[0]->children.push_back(first);
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        ferry::BoostOutputArchive(out) << std::as_const(first);
    }
    first->children.clear();
    ferry::IntReader in(buffer.ints());
    std::shared_ptr<legacy::Member> read;
    CHECK_THROWS_AS(ferry::BoostInputArchive(in) >> read, ferry::SerializationError);

    ferry::IntReader again(buffer.ints());
    {
        ferry::BoostInputArchive archive(again);
        archive.allowSharedCycles();
        archive >> read;
    }
    CHECK(read->children.at(0)->children.at(0) == read);
    read->children.clear();
}

TEST_CASE("Damaged archives: a number of elements is refused before memory is asked for") {
    std::vector<double> values(10, 1.5);
    Ints ints = intsOf(ferry::boosted(values));
    ints[1] = 0x7ffffff0;    // the int behind the library version
    const ferry::test::AllocationWatch watch;
    CHECK(errorOfBoosted<std::vector<double>>(ints).find("a count of at most 10") != std::string::npos);
    CHECK(watch.largestBytes() < 65536);
}

namespace {

struct Cell {
    int number = 0;
    std::array<std::byte, 4096> notSent{};
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& number;
    }
};

/// Reads these cells with memory for all but one, and with memory for all.
template <class Cells>
void checkCounted(const Cells& cells) {
    const Ints ints = intsOf(ferry::boosted(cells));
    for (const std::size_t count : {cells.size() - 1, cells.size()}) {
        Cells arrived;
        ferry::IntReader in(ints, ferry::ObjectFactory::global(), {.memoryPerByte = 0, .memoryBase = count * sizeof(Cell)});
        if (count == cells.size())
            CHECK_NOTHROW(in >> ferry::boosted(arrived));
        else
            CHECK_THROWS_WITH_AS(in >> ferry::boosted(arrived), doctest::Contains("memoryPerByte"), ferry::SerializationError);
    }
}

}    // namespace

TEST_CASE("Damaged archives: elements and objects behind pointers that take much memory are counted") {
    std::vector<std::unique_ptr<Cell>> owned;
    std::vector<std::shared_ptr<Cell>> shared;
    for (int i = 0; i < 3; ++i) {
        owned.push_back(std::make_unique<Cell>());
        shared.push_back(std::make_shared<Cell>());
    }
    checkCounted(std::vector<Cell>(3));
    checkCounted(owned);
    checkCounted(shared);
    shared.resize(1000, shared.front());    // one object, which many pointers share, is counted once
    const Ints ints = intsOf(ferry::boosted(shared));
    ferry::IntReader in(ints, ferry::ObjectFactory::global(), {.memoryPerByte = 0, .memoryBase = 1000 * sizeof(Cell) / 4});
    CHECK_NOTHROW(in >> ferry::boosted(shared));
}
