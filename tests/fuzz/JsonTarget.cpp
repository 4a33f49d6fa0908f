#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/json/Json.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>
#include <ferry/tests/fuzz/ReaderTypes.hpp>

namespace ferry::test {

namespace {

// The first int of a message selects the type. Each further int is one character of the text, or one of the texts below: a change of one
// int leaves most of the text as it is.
constexpr std::int32_t firstWord = 256;
constexpr std::array<std::string_view, 28> words{"null",        "true",    "false",      "\"\"",
                                                 "[]",          "{}",      "\"nan\"",    "\"inf\"",
                                                 "\"-inf\"",    "-1",      "0",          "1e99",
                                                 "1e-999",      "1e999",   "-0.0",       "32768",
                                                 "1.5",         ":",       ",",          "18446744073709551616",
                                                 "\\ud83d",     "\\u0000", "\"name\":",  "\"next\":",
                                                 "[[[[[[[[[[[", "]]]]]",   "\"seats\":", "-9223372036854775808"};

std::string jsonTextOf(std::span<const std::int32_t> ints) {
    std::string text;
    for (const std::int32_t each : ints) {
        if (each >= 0 && each < firstWord) {
            text += static_cast<char>(each);
        } else {
            text += words[static_cast<std::uint32_t>(each) % words.size()];
        }
    }
    return text;
}

/// The memory that reading may take, in proportion to the text: the reader's own values, elements of containers, and their heap memory.
ReadLimits tightLimits() {
    ReadLimits limits;
    limits.memoryBase = 64 * 1024;
    return limits;
}

/// Returns the JSON of the value. For containers without an order: its characters, sorted.
template <class T, bool HasOrder>
std::string comparable(const T& value) {
    std::string text = toJson(value);
    if constexpr (!HasOrder) std::sort(text.begin(), text.end());
    return text;
}

template <class T, bool HasOrder>
Outcome checkJson(MemoryUse& allowed, std::string_view text) {
    std::optional<T> value;
    const Outcome outcome = runBounded(allowed, text.size(), [&] {
        try {
            value.reset();
            value.emplace(fromJson<T>(text, tightLimits()));
            return Outcome::ReadWhole;
        } catch (...) {
            requireRefusal(allowed.name);
            return Outcome::Refused;
        }
    });
    if (!value) return outcome;
    try {
        const std::string written = comparable<T, HasOrder>(*value);
        const T again = fromJson<T>(toJson(*value));
        if (comparable<T, HasOrder>(again) != written) failCheck(allowed.name, "what was read is written differently the second time");
    } catch (const std::exception& error) {
        failCheck(allowed.name, fmt::format("what was read cannot be written and read again: {}", error.what()));
    }
    return outcome;
}

/// A class whose members are null, absent or nested.
struct JsonRoom {
    FERRY_FIELDS(name, seats, next, colour, besides)
    std::string name;
    std::vector<int> seats;
    std::unique_ptr<JsonRoom> next;
    Colour colour = Colour::Red;
    std::map<std::string, std::optional<Point>> besides;
};
struct JsonHall : JsonRoom {
    FERRY_FIELDS_AFTER(JsonRoom, doors)
    std::array<std::pair<short, bool>, 2> doors{};
};

JsonHall makeHall() {
    JsonHall hall;
    hall.name = "Aula \xc3\xa4\n";
    hall.seats = {30, -2};
    hall.next = std::make_unique<JsonRoom>();
    hall.next->name = "foyer";
    hall.besides = {{"left", Point{}}, {"right", std::nullopt}};
    return hall;
}

struct JsonEntry {
    MemoryUse allowed;
    std::function<Outcome(MemoryUse&, std::string_view)> read;
    std::function<std::string()> seed;
};

template <class T, bool HasOrder = true, class Make>
JsonEntry jsonEntry(std::string name, Make make) {
    // The reader has 16 bytes for each value, and an element with its node at most 192 bytes for each byte of the text (tightLimits).
    return {{std::move(name), 400, 600, 512 * 1024}, checkJson<T, HasOrder>, [make] { return toJson(T(make())); }};
}

std::vector<JsonEntry> makeJsonEntries() {
    using std::vector;
    using Text = std::string;
    using Choice = std::variant<int, Text, vector<bool>>;
    using Moment = std::pair<std::chrono::milliseconds, std::chrono::system_clock::time_point>;
    std::vector<JsonEntry> entries;
    const auto add = [&](JsonEntry entry) { entries.push_back(std::move(entry)); };
    add(jsonEntry<Scalars>("scalars", [] { return Scalars(true, -3, 65535, -7, 1ull << 40, 1.5f, -0.25, 'x', Colour::Green); }));
    add(jsonEntry<JsonHall>("classes", makeHall));
    add(jsonEntry<Branch>("nested", [] { return Branch{1, {Branch{2, {}}, Branch{3, {Branch{4, {}}}}}}; }));
    add(jsonEntry<vector<Person>>("plain structs", [] { return vector<Person>{{"Ada", 36, 60.5}, {"", 0, -1e-9}}; }));
    add(jsonEntry<Chain>("pointers", [] {
        Chain chain;
        chain.next = std::make_unique<Chain>();
        chain.others.push_back(std::make_unique<Text>("one"));
        chain.others.push_back(nullptr);
        return chain;
    }));
    add(jsonEntry<std::map<Text, vector<double>>>("map of texts", [] {
        return std::map<Text, vector<double>>{{"one", {1, 2.5}}, {"", {}}};
    }));
    add(jsonEntry<std::map<int, std::set<short>>>("map of numbers", [] { return std::map<int, std::set<short>>{{1, {1, 2}}, {-1, {}}}; }));
    add(jsonEntry<std::multimap<Text, int>>("multimap", [] { return std::multimap<Text, int>{{"a", 1}, {"a", 2}}; }));
    add(jsonEntry<std::unordered_map<Text, int>, false>("hash map", [] { return std::unordered_map<Text, int>{{"one", 1}, {"two", 2}}; }));
    add(jsonEntry<std::unordered_set<int>, false>("hash set", [] { return std::unordered_set<int>{1, 2, 3}; }));
    add(jsonEntry<vector<Choice>>("variants", [] { return vector<Choice>{5, "text", vector<bool>{true, false}}; }));
    add(jsonEntry<Moment>("times", [] { return Moment(std::chrono::milliseconds(5), {}); }));
    add(jsonEntry<vector<std::complex<float>>>("complex", [] { return vector<std::complex<float>>{{1, 2}, {-0.5f, 1e-30f}}; }));
    add(jsonEntry<std::filesystem::path>("path", [] { return std::filesystem::path("/a/folder/file"); }));
    add(jsonEntry<std::list<std::deque<std::optional<int>>>>("lists", [] {
        return std::list<std::deque<std::optional<int>>>{{1, std::nullopt}, {}};
    }));
    add(jsonEntry<vector<std::optional<Roomy>>>("roomy", [] { return vector<std::optional<Roomy>>(2, Roomy{}); }));
    return entries;
}

class JsonTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return "json"; }

    std::vector<IntBuffer> seeds() const override {
        std::vector<IntBuffer> seeds;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            Ints ints{static_cast<std::int32_t>(i)};
            for (const char each : entries_[i].seed()) ints.push_back(static_cast<unsigned char>(each));
            seeds.emplace_back(std::span<const std::int32_t>(ints));
        }
        return seeds;
    }

    Outcome run(std::span<const std::int32_t> ints) override {
        if (ints.empty()) return Outcome::Refused;
        JsonEntry& entry = entries_[static_cast<std::uint32_t>(ints.front()) % entries_.size()];
        return entry.read(entry.allowed, jsonTextOf(ints.subspan(1)));
    }

private:
    std::vector<JsonEntry> entries_ = makeJsonEntries();
};

}    // namespace

std::unique_ptr<FuzzTarget> makeJsonTarget() { return std::make_unique<JsonTarget>(); }

}    // namespace ferry::test
