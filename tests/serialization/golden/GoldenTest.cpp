// The frozen formats: golden.txt has a line for each value here, with its ints, and one for each file, with its bytes. A line may be added,
// and none may be changed or taken away. FERRY_GOLDEN_WRITE=FILE in the environment writes the lines of this build to the file.

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/objects.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace golden {

enum class Weekday : std::uint8_t { Monday, Tuesday };
enum class Large : std::int64_t { Value = -5'000'000'000 };

struct Mixed {    // a plain struct
    std::int8_t narrow = -3;
    std::uint16_t wide = 65000;
    double number = 1.5;
    std::string text = "plain";
    std::array<std::int16_t, 3> shorts{1, -2, 3};
};

struct Pixel {    // is copied in one piece
    float red = 0.25F;
    std::int32_t place = 7;
};

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(golden::Room)
    FERRY_FIELDS(seats, name)
    int seats = 30;
    std::string name = "B-12";
};

class Laboratory : public Room {
public:
    FERRY_CLASS(golden::Laboratory)
    FERRY_FIELDS_AFTER(Room, voltage)
    double voltage = 230;
};

struct Versioned {
    FERRY_FIELDS_VERSIONED(2, day, degrees)
    int day = 3;
    std::vector<double> degrees{15.5, -1};
};

class ByHand : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(golden::ByHand)
    void writeToInts(ferry::IntWriter& out) const override {
        out.writeInt(value);
        out.writeInt64(large);
        out.writeCount(3);
        out.writeBytes("abc", 3);
    }
    void readFromInts(ferry::IntReader& in) override {
        value = in.readInt();
        large = in.readInt64();
        std::array<char, 3> text{};
        if (in.readPackedCount(8) == text.size()) in.readBytes(text.data(), text.size());
    }
    int value = -9;
    std::int64_t large = std::int64_t{1} << 40 | 5;
};

struct Shared {
    std::shared_ptr<std::string> first = std::make_shared<std::string>("twice");
    std::shared_ptr<std::string> second = first;
};

struct Node {
    FERRY_FIELDS(number, next, numbers)
    int number = 0;
    Node* next = nullptr;
    std::vector<double> numbers;
};

}    // namespace golden

namespace {

using namespace golden;

using Ints = std::vector<std::int32_t>;

/// The lines of golden.txt: what stands before the colon, and what stands behind.
std::map<std::string, std::string> keptLines() {
    std::map<std::string, std::string> lines;
    std::ifstream file(ferry::test::besideProgram("golden.txt"));
    REQUIRE(file.is_open());
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with('#') || line.empty()) continue;
        REQUIRE_MESSAGE(colon != std::string::npos, line);
        lines[line.substr(0, colon)] = line.substr(colon + 2);
    }
    return lines;
}

/// Writes a line if that is wished. Returns whether it is.
bool keep(const std::string& name, const std::string& text) {
    const char* path = std::getenv("FERRY_GOLDEN_WRITE");
    if (path != nullptr) std::ofstream(path, std::ios::app) << name << ": " << text << '\n';
    return path != nullptr;
}

std::string textOf(const Ints& ints) {
    std::string text = "ints";    // there may be none
    for (const std::int32_t each : ints) text += fmt::format(" {}", each);
    return text;
}

Ints intsIn(const std::string& text) {
    std::istringstream in(text);
    std::string word;
    in >> word;
    REQUIRE(word == "ints");
    Ints ints;
    for (std::int32_t each = 0; in >> each;) ints.push_back(each);
    return ints;
}

std::string hexOf(std::string_view bytes) {
    std::string text;
    for (const char each : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(each));
    return text;
}

std::string bytesIn(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

template <class T>
Ints intsOf(const T& value) {
    ferry::IntBuffer buffer;
    ferry::IntWriter(buffer) << value;
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// Compares the ints of the value with its line, and reads the line.
template <class T>
void compare(const std::map<std::string, std::string>& kept, const std::string& name, const T& value) {
    CAPTURE(name);
    const Ints ints = intsOf(value);
    if (keep(name, textOf(ints))) return;
    const auto line = kept.find(name);
    REQUIRE_MESSAGE(line != kept.end(), "golden.txt has no line for this value: add it (FERRY_GOLDEN_WRITE=FILE)");
    CHECK(textOf(ints) == line->second);
    const Ints read = intsIn(line->second);
    ferry::IntReader in(read);
    T copy{};
    in >> copy;
    CHECK(in.remaining() == 0);
    CHECK(intsOf(copy) == read);
}

/// A file without its description, which names all classes of the program.
std::string withoutDescription(const std::string& bytes) {
    constexpr std::size_t startBytes = 8 + 6 * 4;
    REQUIRE(bytes.size() > startBytes);
    std::size_t descriptionInts = 0;
    for (std::size_t i = 0; i < 4; ++i) descriptionInts |= std::size_t{static_cast<unsigned char>(bytes[16 + i])} << 8 * i;
    REQUIRE(bytes.size() > startBytes + 4 * descriptionInts);
    return bytes.substr(0, 16) + bytes.substr(startBytes + 4 * descriptionInts);
}

/// Compares a file that this build saves with its line, and loads the file of the line.
void compareFile(const std::map<std::string, std::string>& kept, const std::string& name,
                 const std::function<void(const std::filesystem::path&)>& save,
                 const std::function<void(const std::filesystem::path&)>& load) {
    CAPTURE(name);
    const ferry::test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "golden";
    save(path);
    const std::string bytes = ferry::test::bytesOf(path);
    if (keep(name, hexOf(bytes))) return;
    const auto line = kept.find(name);
    REQUIRE_MESSAGE(line != kept.end(), "golden.txt has no line for this file: add it (FERRY_GOLDEN_WRITE=FILE)");
    const std::string golden = bytesIn(line->second);
    CHECK(hexOf(withoutDescription(bytes)) == hexOf(withoutDescription(golden)));
    ferry::test::writeBytes(path, golden);
    load(path);
}

}    // namespace

TEST_CASE("Golden: numbers have the ints that are kept") {
    const auto kept = keptLines();
    compare(kept, "bool", true);
    compare(kept, "int8", std::int8_t{-128});
    compare(kept, "uint8", std::uint8_t{200});
    compare(kept, "char", 'F');
    compare(kept, "int16", std::int16_t{-32768});
    compare(kept, "uint16", std::uint16_t{65535});
    compare(kept, "int32", std::numeric_limits<std::int32_t>::min());
    compare(kept, "uint32", std::numeric_limits<std::uint32_t>::max());
    compare(kept, "int64", std::int64_t{-5'000'000'000});
    compare(kept, "uint64", std::uint64_t{0x0123456789abcdef});
    compare(kept, "float", 1.1F);
    compare(kept, "double", -1.1e300);
    compare(kept, "double nan", std::numeric_limits<double>::quiet_NaN());
    compare(kept, "enum of 8 bits", Weekday::Tuesday);
    compare(kept, "enum of 64 bits", Large::Value);
    compare(kept, "atomic", std::atomic<std::int64_t>{77});
}

TEST_CASE("Golden: strings and containers have the ints that are kept") {
    const auto kept = keptLines();
    compare(kept, "empty string", std::string());
    compare(kept, "string", std::string("Ferry\n"));
    compare(kept, "u16string", std::u16string(u"abc"));
    compare(kept, "vector of int8", std::vector<std::int8_t>{1, -2, 3, -4, 5});
    compare(kept, "vector of int16", std::vector<std::int16_t>{1, -2, 3});
    compare(kept, "vector of int32", std::vector<std::int32_t>{1, -2});
    compare(kept, "vector of int64", std::vector<std::int64_t>{1, -2});
    compare(kept, "vector of double", std::vector<double>{1.5, -2.25});
    compare(kept, "vector of float", std::vector<float>{1.5F});
    compare(kept, "vector of enum", std::vector<Weekday>{Weekday::Tuesday, Weekday::Monday});
    compare(kept, "vector of bool", std::vector<bool>{true, false, true, true});
    compare(kept, "vector of string", std::vector<std::string>{"a", "", "bcdef"});
    compare(kept, "vector of plain structs", std::vector<Pixel>(2));
    compare(kept, "vector of pairs", std::vector<std::pair<std::int32_t, double>>{{1, 2.5}});
    compare(kept, "deque", std::deque<std::int16_t>{1, -1});
    compare(kept, "list", std::list<double>{0.5});
    compare(kept, "array of int8", std::array<std::int8_t, 5>{1, 2, 3, 4, 5});
    compare(kept, "array of int16", std::array<std::int16_t, 2>{-1, 2});
    compare(kept, "array of double", std::array<double, 2>{1, 2});
    compare(kept, "array of bool", std::array<bool, 3>{true, false, true});
    compare(kept, "array of string", std::array<std::string, 2>{"x", "yz"});
    compare(kept, "set", std::set<std::int32_t>{3, 1, 2});
    compare(kept, "map", std::map<std::string, double>{{"b", 2}, {"a", 1}});
    compare(kept, "multimap", std::multimap<std::int32_t, std::int8_t>{{1, 2}, {1, 3}});
    compare(kept, "unordered_map", std::unordered_map<std::int64_t, std::string>{{9, "nine"}});
}

TEST_CASE("Golden: other standard types have the ints that are kept") {
    const auto kept = keptLines();
    compare(kept, "pair", std::pair<std::int8_t, double>{4, 0.5});
    compare(kept, "tuple", std::tuple<bool, std::string, std::int64_t>{true, "t", 6});
    compare(kept, "empty optional", std::optional<double>());
    compare(kept, "optional", std::optional<double>(2.5));
    compare(kept, "variant", std::variant<std::monostate, std::int32_t, std::string>("second"));
    compare(kept, "monostate", std::variant<std::monostate, std::int32_t>());
    compare(kept, "bitset", std::bitset<40>(0x8000000005));
    compare(kept, "complex float", std::complex<float>(1, -2));
    compare(kept, "complex double", std::complex<double>(1, -2));
    compare(kept, "duration", std::chrono::nanoseconds(123456789012345));
    compare(kept, "time point", std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(1700000000000)));
    compare(kept, "path", std::filesystem::path("a/b.txt"));
}

TEST_CASE("Golden: classes and pointers have the ints that are kept") {
    const auto kept = keptLines();
    compare(kept, "plain struct", Mixed());
    compare(kept, "plain struct in one piece", Pixel());
    compare(kept, "class with fields", Room());
    compare(kept, "derived class", Laboratory());
    compare(kept, "class with a version", Versioned());
    compare(kept, "class that writes itself", ByHand());
    compare(kept, "null pointer", std::unique_ptr<double>());
    compare(kept, "unique_ptr", std::make_unique<double>(1.25));
    compare(kept, "shared_ptr twice", Shared());
    compare(kept, "pointer to a base class", std::unique_ptr<Room>(std::make_unique<Laboratory>()));
    compare(kept, "vector of pointers", [] {
        std::vector<std::unique_ptr<Room>> rooms(2);
        rooms[1] = std::make_unique<Room>();
        return rooms;
    }());
}

TEST_CASE("Golden: IDs of classes stay") {
    CHECK(Room().classId() == ferry::detail::classIdOf("golden::Room"));
    CHECK(ferry::detail::classIdOf("golden::Room") == 349382860);
}

TEST_CASE("Golden: files have the bytes that are kept, and kept files are loaded") {
    const auto kept = keptLines();
    compareFile(
        kept, "file of a value", [](const auto& path) { ferry::save(path, std::vector<Mixed>(2)); },
        [](const auto& path) { CHECK(ferry::load<std::vector<Mixed>>(path).at(1).wide == 65000); });
    compareFile(
        kept, "file of a class with a version", [](const auto& path) { ferry::save(path, Versioned()); },
        [](const auto& path) {
            CHECK(ferry::load<Versioned>(path).degrees == std::vector<double>{15.5, -1});
        });
    compareFile(
        kept, "file of an object", [](const auto& path) { ferry::save(path, std::unique_ptr<Room>(std::make_unique<Laboratory>())); },
        [](const auto& path) {
            const auto room = ferry::load<std::unique_ptr<Room>>(path);
            const auto* laboratory = dynamic_cast<const Laboratory*>(room.get());
            REQUIRE(laboratory != nullptr);
            CHECK(laboratory->voltage == 230);
            CHECK(laboratory->name == "B-12");
        });
    compareFile(
        kept, "file of a graph",
        [](const auto& path) {
            Node first{1, nullptr, {0.5}};
            Node second{2, &first, {}};
            first.next = &second;
            ferry::saveGraph(path, &first);
        },
        [](const auto& path) {
            const auto graph = ferry::loadGraph<Node>(path);
            REQUIRE(graph.root() != nullptr);
            CHECK(graph.root()->numbers == std::vector<double>{0.5});
            CHECK(graph.root()->next->number == 2);
            CHECK(graph.root()->next->next == graph.root());
        });
}
