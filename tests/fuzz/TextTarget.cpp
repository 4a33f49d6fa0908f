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
#include <ferry/serialization/text/Json.hpp>
#include <ferry/serialization/text/Xml.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>
#include <ferry/tests/fuzz/ReaderTypes.hpp>

namespace ferry::test {

namespace {

// The first int of a message selects the type. Each further int is one character of the text, or one of the words of the form: a change of
// one int leaves most of the text as it is.
constexpr std::int32_t firstWord = 256;

struct JsonForm {
    static constexpr std::string_view name = "json";
    static constexpr std::array<std::string_view, 28> words{"null",        "true",    "false",      "\"\"",
                                                            "[]",          "{}",      "\"nan\"",    "\"inf\"",
                                                            "\"-inf\"",    "-1",      "0",          "1e99",
                                                            "1e-999",      "1e999",   "-0.0",       "32768",
                                                            "1.5",         ":",       ",",          "18446744073709551616",
                                                            "\\ud83d",     "\\u0000", "\"name\":",  "\"next\":",
                                                            "[[[[[[[[[[[", "]]]]]",   "\"seats\":", "-9223372036854775808"};
    template <class T>
    static std::string write(const T& value) {
        return toJson(value);
    }
    template <class T>
    static T read(std::string_view text, const ReadLimits& limits = ReadLimits::getDefault()) {
        return fromJson<T>(text, limits);
    }
};

struct XmlForm {
    static constexpr std::string_view name = "xml";
    static constexpr std::array<std::string_view, 32> words{"<null/>",
                                                            "<boolean>true</boolean>",
                                                            "<boolean>false</boolean>",
                                                            "<string/>",
                                                            "<array/>",
                                                            "<map/>",
                                                            "<string>nan</string>",
                                                            "<string>-inf</string>",
                                                            "<number>-1</number>",
                                                            "<number>1e99</number>",
                                                            "<number>1e999</number>",
                                                            "<number>18446744073709551616</number>",
                                                            "<!DOCTYPE map [<!ENTITY a \"&a;&a;\">]>",
                                                            "&a;",
                                                            "&#0;",
                                                            "&#xd800;",
                                                            "&#x10FFFF;",
                                                            "&quot;",
                                                            "\\u0000",
                                                            "\\",
                                                            " escaped=\"true\"",
                                                            " key=\"name\"",
                                                            " key=\"next\"",
                                                            " escaped-key=\"1\"",
                                                            "<array><array><array><array><array><array>",
                                                            "</array></array></array>",
                                                            "<map key=\"a\"><map key=\"a\">",
                                                            "</map></map>",
                                                            "<!-- ",
                                                            "-->",
                                                            "<![CDATA[",
                                                            "]]>"};
    template <class T>
    static std::string write(const T& value) {
        return toXml(value);
    }
    template <class T>
    static T read(std::string_view text, const ReadLimits& limits = ReadLimits::getDefault()) {
        return fromXml<T>(text, limits);
    }
};

template <class Form>
std::string formTextOf(std::span<const std::int32_t> ints) {
    std::string text;
    for (const std::int32_t each : ints) {
        if (each >= 0 && each < firstWord) {
            text += static_cast<char>(each);
        } else {
            text += Form::words[static_cast<std::uint32_t>(each) % Form::words.size()];
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

/// Returns the text of the value. For containers without an order: its characters, sorted.
template <class Form, class T, bool HasOrder>
std::string comparable(const T& value) {
    std::string text = Form::write(value);
    if constexpr (!HasOrder) std::sort(text.begin(), text.end());
    return text;
}

template <class Form, class T, bool HasOrder>
Outcome checkForm(MemoryUse& allowed, std::string_view text) {
    std::optional<T> value;
    const Outcome outcome = runBounded(allowed, text.size(), [&] {
        try {
            value.reset();
            value.emplace(Form::template read<T>(text, tightLimits()));
            return Outcome::ReadWhole;
        } catch (...) {
            requireRefusal(allowed.name);
            return Outcome::Refused;
        }
    });
    if (!value) return outcome;
    try {
        const std::string written = comparable<Form, T, HasOrder>(*value);
        const T again = Form::template read<T>(Form::write(*value));
        if (comparable<Form, T, HasOrder>(again) != written)
            failCheck(allowed.name, "what was read is written differently the second time");
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

struct FormEntry {
    MemoryUse allowed;
    std::function<Outcome(MemoryUse&, std::string_view)> read;
    std::function<std::string()> seed;
};

template <class Form, class T, bool HasOrder = true, class Make>
FormEntry formEntry(std::string name, Make make) {
    // The reader has 16 bytes for each value, and an element with its node at most 192 bytes for each byte of the text (tightLimits).
    return {{std::move(name), 400, 600, 512 * 1024}, checkForm<Form, T, HasOrder>, [make] { return Form::write(T(make())); }};
}

template <class Form>
std::vector<FormEntry> makeFormEntries() {
    using std::vector;
    using Text = std::string;
    using Choice = std::variant<int, Text, vector<bool>>;
    using Moment = std::pair<std::chrono::milliseconds, std::chrono::system_clock::time_point>;
    std::vector<FormEntry> entries;
    const auto add = [&](FormEntry entry) { entries.push_back(std::move(entry)); };
    add(formEntry<Form, Scalars>("scalars", [] { return Scalars(true, -3, 65535, -7, 1ull << 40, 1.5f, -0.25, 'x', Colour::Green); }));
    add(formEntry<Form, JsonHall>("classes", makeHall));
    add(formEntry<Form, Branch>("nested", [] { return Branch{1, {Branch{2, {}}, Branch{3, {Branch{4, {}}}}}}; }));
    add(formEntry<Form, vector<Person>>("plain structs", [] { return vector<Person>{{"Ada", 36, 60.5}, {"", 0, -1e-9}}; }));
    add(formEntry<Form, Chain>("pointers", [] {
        Chain chain;
        chain.next = std::make_unique<Chain>();
        chain.others.push_back(std::make_unique<Text>("one"));
        chain.others.push_back(nullptr);
        return chain;
    }));
    add(formEntry<Form, std::map<Text, vector<double>>>("map of texts", [] {
        return std::map<Text, vector<double>>{{"one", {1, 2.5}}, {"", {}}};
    }));
    add(formEntry<Form, std::map<int, std::set<short>>>("map of numbers", [] {
        return std::map<int, std::set<short>>{{1, {1, 2}}, {-1, {}}};
    }));
    add(formEntry<Form, std::multimap<Text, int>>("multimap", [] { return std::multimap<Text, int>{{"a", 1}, {"a", 2}}; }));
    add(formEntry<Form, std::unordered_map<Text, int>, false>("hash map", [] {
        return std::unordered_map<Text, int>{{"one", 1}, {"two", 2}};
    }));
    add(formEntry<Form, std::unordered_set<int>, false>("hash set", [] { return std::unordered_set<int>{1, 2, 3}; }));
    add(formEntry<Form, vector<Choice>>("variants", [] { return vector<Choice>{5, "text", vector<bool>{true, false}}; }));
    add(formEntry<Form, Moment>("times", [] { return Moment(std::chrono::milliseconds(5), {}); }));
    add(formEntry<Form, vector<std::complex<float>>>("complex", [] { return vector<std::complex<float>>{{1, 2}, {-0.5f, 1e-30f}}; }));
    add(formEntry<Form, std::filesystem::path>("path", [] { return std::filesystem::path("/a/folder/file"); }));
    add(formEntry<Form, std::list<std::deque<std::optional<int>>>>("lists", [] {
        return std::list<std::deque<std::optional<int>>>{{1, std::nullopt}, {}};
    }));
    add(formEntry<Form, vector<std::optional<Roomy>>>("roomy", [] { return vector<std::optional<Roomy>>(2, Roomy{}); }));
    return entries;
}

template <class Form>
class FormTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return Form::name; }

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
        FormEntry& entry = entries_[static_cast<std::uint32_t>(ints.front()) % entries_.size()];
        return entry.read(entry.allowed, formTextOf<Form>(ints.subspan(1)));
    }

private:
    std::vector<FormEntry> entries_ = makeFormEntries<Form>();
};

}    // namespace

std::unique_ptr<FuzzTarget> makeJsonTarget() { return std::make_unique<FormTarget<JsonForm>>(); }
std::unique_ptr<FuzzTarget> makeXmlTarget() { return std::make_unique<FormTarget<XmlForm>>(); }

}    // namespace ferry::test
