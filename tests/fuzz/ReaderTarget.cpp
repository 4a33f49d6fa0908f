#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>
#include <ferry/tests/fuzz/ReaderTypes.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t Slack = 64 * 1024;    // for errors and their texts, and for first blocks of containers

/// A type of the target: its memory limits, and the function that reads it.
struct Entry {
    MemoryUse allowed;
    std::function<Outcome(MemoryUse&, std::span<const std::int32_t>)> read;
    std::function<IntBuffer(std::size_t selector)> seed;
    std::function<Ints(std::size_t count)> costly;    ///< returns the message with the greatest memory use for its length; may be empty
};

template <class T, bool HasOrder = true, class Make>
Entry entryOf(MemoryUse allowed, Make make, std::function<Ints(std::size_t)> costly = {}) {
    return {std::move(allowed), [](MemoryUse& use, std::span<const std::int32_t> ints) { return checkReading<T, HasOrder>(use, ints); },
            [make](std::size_t selector) { return seedOf<T>(selector, make()); }, std::move(costly)};
}

/// Returns a function that makes a message: a count, and these ints repeated `count` times.
std::function<Ints(std::size_t)> repeated(Ints element) {
    return [element = std::move(element)](std::size_t count) {
        Ints ints{static_cast<std::int32_t>(count)};
        for (std::size_t i = 0; i < count; ++i) ints.insert(ints.end(), element.begin(), element.end());
        return ints;
    };
}

/// Like repeated(), with a different number in front of the ints each time.
std::function<Ints(std::size_t)> numbered(Ints rest, std::int32_t step = 1) {
    return [rest = std::move(rest), step](std::size_t count) {
        Ints ints{static_cast<std::int32_t>(count)};
        for (std::size_t i = 0; i < count; ++i) {
            ints.push_back(step * static_cast<std::int32_t>(i + 1));
            ints.insert(ints.end(), rest.begin(), rest.end());
        }
        return ints;
    };
}

/// Returns a count, and `count` different strings of four characters.
Ints differentStrings(std::size_t count) {
    Ints ints{static_cast<std::int32_t>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        ints.push_back(4);
        ints.push_back(static_cast<std::int32_t>(i));
    }
    return ints;
}

template <class Room>
House<Room> makeHouse() {
    House<Room> house;
    house.rooms.resize(3);
    house.rooms[1].seats = 5;
    house.key = std::make_shared<int>(7);
    if constexpr (requires { house.rooms[0].key; }) {
        house.rooms[0].key = std::make_shared<int>(8);
        house.rooms[2].key = house.rooms[0].key;
    }
    return house;
}

Shown makeShown() {
    Shown shown;
    shown.mass.people.resize(2);
    shown.mass.people[0].name = "Ada";
    shown.mass.owner.emplace();
    shown.mass.tenant = std::make_unique<Person>();
    shown.more.resize(2);
    return shown;
}

Parent makeFamily() {
    Parent parent;
    for (int age : {30, 31}) {
        parent.children.push_back(std::make_shared<Child>());
        parent.children.back()->age = std::make_shared<int>(age);
    }
    parent.children[1]->friends = {parent.children[0], parent.children[1]};
    parent.eldest = parent.children[1];
    return parent;
}

std::vector<Graph<Station>> makeGraphs() {
    Station north{"north", {}, std::make_shared<std::string>("U1")};
    Station south{"south", {&north, nullptr}, north.line};
    north.next = {&south, &north};
    std::vector<Graph<Station>> graphs;
    graphs.push_back(copyGraph(graph(&north)));
    graphs.push_back(copyGraph(graph(&south)));
    return graphs;
}

using Choice = std::variant<std::monostate, int, std::string, std::vector<int>>;
using Moment = std::pair<std::chrono::milliseconds, std::chrono::system_clock::time_point>;
using Text = std::string;

// All numbers are bytes for each byte of the message.
// A single block may take 8, or twice the size of an element divided by its least number of ints (a vector doubles).
// The memory in use at once adds the old block during its copy, and the heap memory of the elements.
// Nodes of trees have 32 bytes besides their value; nodes of hash tables have 8 or 16 bytes and their bucket.
// A shared object has 24 bytes, and 56 bytes in the reader's table. A deque has 576 bytes.
// A part of a path has 48 bytes for its two bytes, in a list that grows by half.
std::vector<Entry> makeEntries() {
    using std::vector;
    std::vector<Entry> entries;
    const auto add = [&](Entry entry) { entries.push_back(std::move(entry)); };
    add(entryOf<Scalars>({"scalars", 8, 8, Slack},
                         [] { return Scalars(true, -3, 65535, -7, 1ull << 40, 1.5f, -0.25, 'x', Colour::Green); }));
    add(entryOf<Text>({"string", 8, 8, Slack}, [] { return Text("a string of some length"); }));
    add(entryOf<std::pair<std::u16string, vector<std::int8_t>>>({"packed numbers", 8, 8, Slack}, [] {
        return std::pair(std::u16string(u"wide"), vector<std::int8_t>{1, -2, 3});
    }));
    add(entryOf<vector<bool>>({"vector<bool>", 8, 8, Slack}, [] { return vector<bool>(40, true); }));
    add(entryOf<vector<double>>({"vector<double>", 8, 8, Slack}, [] { return vector<double>{1, 2.5, -3}; }));
    add(entryOf<vector<Text>>(
        {"vector<string>", 8, 9, Slack},
        [] {
            return vector<Text>{"", "one", "a string too long for its own memory"};
        },
        repeated({0})));
    add(entryOf<vector<vector<vector<int>>>>(
        {"vector<vector<vector>>", 8, 9, Slack},
        [] {
            return vector<vector<vector<int>>>{{}, {{1, 2}, {}}, {{3}}};
        },
        repeated({1, 1, 7})));
    add(entryOf<vector<std::deque<int>>>(
        {"vector<deque>", 40, 200, Slack},
        [] {
            return vector<std::deque<int>>{{}, {1, 2}};
        },
        repeated({0})));
    add(entryOf<std::list<int>>(
        {"list<int>", 8, 8, Slack},
        [] {
            return std::list<int>{1, 2, 3};
        },
        repeated({0})));
    add(entryOf<std::map<Text, vector<int>>>({"map<string, vector>", 8, 13, Slack}, [] {
        return std::map<Text, vector<int>>{{"one", {1}}, {"two", {2, 3}}};
    }));
    add(entryOf<std::set<int>>(
        {"set<int>", 8, 12, Slack},
        [] {
            return std::set<int>{1, 2, 9};
        },
        numbered({})));
    add(entryOf<std::multimap<int, Text>>(
        {"multimap<int, string>", 8, 12, Slack},
        [] {
            return std::multimap<int, Text>{{1, "one"}, {1, "eins"}, {2, "two"}};
        },
        repeated({7, 0})));
    add(entryOf<std::unordered_map<int, Text>, false>(
        {"unordered_map<int, string>", 8, 14, Slack},
        [] {
            return std::unordered_map<int, Text>{{1, "one"}, {2, "two"}};
        },
        numbered({0})));
    add(entryOf<std::unordered_set<Text>, false>(
        {"unordered_set<string>", 8, 14, Slack},
        [] {
            return std::unordered_set<Text>{"one", "two", "three"};
        },
        differentStrings));
    add(entryOf<std::map<int, std::map<int, std::set<Text>>>>(
        {"map of maps", 8, 12, Slack},
        [] {
            return std::map<int, std::map<int, std::set<Text>>>{{1, {{2, {"a", "b"}}}}, {3, {}}};
        },
        numbered({1, 1, 0})));
    add(entryOf<vector<std::optional<Text>>>(
        {"vector<optional<string>>", 20, 30, Slack},
        [] {
            return vector<std::optional<Text>>{std::nullopt, "text", ""};
        },
        repeated({0})));
    add(entryOf<vector<Choice>>(
        {"vector<variant>", 20, 30, Slack},
        [] {
            return vector<Choice>{std::monostate(), 3, "text", vector<int>{4, 5}};
        },
        repeated({0})));
    add(entryOf<std::tuple<std::bitset<77>, std::bitset<32>, std::bitset<0>>>(
        {"bitset", 8, 8, Slack}, [] { return std::tuple(std::bitset<77>(0x123456789abcdef), std::bitset<32>(5), std::bitset<0>()); }));
    add(entryOf<vector<std::complex<float>>>({"vector<complex>", 8, 8, Slack}, [] {
        return vector<std::complex<float>>{{1, 2}, {3, -4}};
    }));
    add(entryOf<std::list<Moment>>({"list<chrono>", 8, 8, Slack}, [] { return std::list<Moment>{{std::chrono::milliseconds(5), {}}}; }));
    add(entryOf<std::filesystem::path>(
        {"path", 36, 60, Slack}, [] { return std::filesystem::path("/var/lib/ferry/a b.txt"); },
        [](std::size_t count) {
            Ints ints(count / 4 + 1, 0x2f612f61);
            ints[0] = static_cast<std::int32_t>(count / 4 * 4);
            return ints;
        }));
    add(entryOf<Arrays>({"arrays", 8, 8, Slack}, [] {
        Arrays arrays;
        arrays.names = {"a", "", "c"};
        arrays.points.resize(2);
        return arrays;
    }));
    add(entryOf<std::pair<vector<Point>, vector<Person>>>({"plain structs", 8, 8, Slack}, [] {
        return std::pair(vector<Point>(2), vector<Person>{{"Ada", 36, 60.5}, {}});
    }));
    add(entryOf<Branch>({"class in itself", 8, 8, Slack}, [] {
        Branch branch;
        branch.branches.resize(2);
        branch.branches[1].branches.resize(1);
        return branch;
    }));
    add(entryOf<House<OldRoom>>({"older class", 16, 40, Slack}, makeHouse<OldRoom>));
    add(entryOf<House<NewRoom>>({"newer class", 16, 40, Slack}, makeHouse<NewRoom>, [](std::size_t count) {
        Ints ints = repeated({1, 1, 5})(count);
        ints.insert(ints.begin(), {1, static_cast<std::int32_t>(ints.size() + 1)});
        ints.push_back(0);
        return ints;
    }));
    add(entryOf<Shown>({"views", 24, 40, Slack}, makeShown));
    add(entryOf<Filled>({"spans", 8, 8, Slack}, [] { return Filled{{4, 5, 6}, {"left", "right"}}; }));
    add(entryOf<Chain>(
        {"unique_ptr", 8, 8, Slack},
        [] {
            Chain chain;
            chain.next = std::make_unique<Chain>();
            chain.next->others.push_back(std::make_unique<Text>("text"));
            chain.others.resize(2);
            return chain;
        },
        [](std::size_t count) {
            Ints ints = repeated({1, 0})(count);
            ints.insert(ints.begin(), 0);
            return ints;
        }));
    add(entryOf<Parent>({"shared_ptr and weak_ptr", 28, 64, Slack}, makeFamily));
    add(entryOf<vector<std::shared_ptr<Nothing>>>(
        {"shared_ptr to nothing", 28, 64, Slack + 3 * 65536},
        [] {
            return vector<std::shared_ptr<Nothing>>{std::make_shared<Nothing>(), nullptr};
        },
        numbered({}, -1)));
    add(entryOf<std::pair<vector<Nothing>, std::list<Silent>>>({"elements without ints", 8, 10, Slack + 24 * 65536},
                                                               [] { return std::pair(vector<Nothing>(3), std::list<Silent>(2)); }));
    add(entryOf<std::list<Watched>>({"atomics", 8, 12, Slack}, [] {
        std::list<Watched> list(2);
        list.front().done = 5;
        list.front().name = "one";
        return list;
    }));
    add(entryOf<vector<Row>>({"derived from a container", 8, 12, Slack}, [] {
        vector<Row> rows(2);
        rows[0].assign({1, 2, 3});
        rows[1].number = 4;
        return rows;
    }));
    add(entryOf<vector<Ranking>>({"order with a state", 16, 24, Slack}, [] {
        vector<Ranking> rankings(2);
        rankings[0].places = {{1, "one"}, {2, "two"}};
        return rankings;
    }));
    add(entryOf<std::unordered_multimap<int, int>, false>(
        {"unordered_multimap<int, int>", 8, 16, Slack},
        [] {
            return std::unordered_multimap<int, int>{{1, 2}, {1, 3}, {7, 8}};
        },
        numbered({7})));
    constexpr std::size_t RoomySlack = std::size_t{18} << 20;    // ReadLimits::memoryBase
    add(entryOf<vector<std::optional<Roomy>>>({"roomy optional", 200, 220, RoomySlack}, [] {
        vector<std::optional<Roomy>> values(3);
        values[1].emplace().number = 5;
        return values;
    }));
    add(entryOf<std::deque<std::variant<int, Roomy>>>({"roomy variant", 200, 220, RoomySlack}, [] {
        std::deque<std::variant<int, Roomy>> values{3};
        values.emplace_back().emplace<1>().number = 6;
        return values;
    }));
    add(entryOf<std::map<int, std::unique_ptr<Roomy>>>({"roomy unique_ptr", 200, 260, RoomySlack}, [] {
        std::map<int, std::unique_ptr<Roomy>> values;
        values[3] = std::make_unique<Roomy>();
        return values;
    }));
    add(entryOf<vector<std::shared_ptr<Roomy>>>({"roomy shared_ptr", 200, 260, RoomySlack}, [] {
        return vector<std::shared_ptr<Roomy>>{std::make_shared<Roomy>(), nullptr};
    }));
    add(entryOf<std::list<Limb>>({"owning raw pointers", 8, 14, Slack}, [] {
        std::list<Limb> limbs(2);
        Limb& limb = limbs.back();
        limb.first = new Limb;
        limb.first->second = new Limb;
        limb.count = 3;
        limb.numbers = new std::uint16_t[3]{1, 2, 3};
        limb.names = new std::string[3]{"", "two", "a name of some length"};
        limb.moreCount = 1;
        limb.more = new Limb[1];
        limb.more->first = new Limb;
        return limbs;
    }));
    add(entryOf<vector<Graph<Station>>>({"graphs", 40, 80, Slack}, makeGraphs));
    return entries;
}

class ReaderTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return "reader"; }

    std::vector<IntBuffer> seeds() const override {
        std::vector<IntBuffer> seeds;
        for (std::size_t i = 0; i < entries_.size(); ++i) seeds.push_back(entries_[i].seed(i));
        const auto isNamed = [&](std::string_view wanted) {
            std::size_t i = 0;
            while (entries_[i].allowed.name != wanted) ++i;
            return i;
        };
        seeds.push_back(seedOf(isNamed("older class"), makeHouse<NewRoom>()));
        seeds.push_back(seedOf(isNamed("newer class"), makeHouse<OldRoom>()));
        return seeds;
    }

    Outcome run(std::span<const std::int32_t> ints) override {
        if (ints.empty()) return Outcome::Refused;
        const auto selector = static_cast<std::uint32_t>(ints[0]);
        constexpr std::size_t corpusCount = 40;    // the corpus is older than the entries from here on, and keeps its meaning
        Entry& entry = entries_[selector >= corpusCount && selector < entries_.size() ? selector : selector % corpusCount];
        return entry.read(entry.allowed, ints.subspan(1));
    }

    std::vector<MemoryUse> measureMemory() override;

private:
    std::vector<Entry> entries_ = makeEntries();
};

std::vector<MemoryUse> ReaderTarget::measureMemory() {
    constexpr std::size_t ElementCount = 90'000;
    std::vector<MemoryUse> uses;
    for (Entry& entry : entries_) {
        if (!entry.costly) continue;
        if (entry.read(entry.allowed, entry.costly(ElementCount)) == Outcome::Refused)
            failCheck(entry.allowed.name, "a long message was refused");
        uses.push_back(entry.allowed);
    }
    return uses;
}

}    // namespace

std::unique_ptr<FuzzTarget> makeReaderTarget() { return std::make_unique<ReaderTarget>(); }

}    // namespace ferry::test
