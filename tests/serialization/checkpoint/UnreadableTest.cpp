#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

// Data that could not be loaded again are not saved. The old file stays.

namespace unreadableTest {

struct Nothing {
    FERRY_FIELDS()
};
struct Link {
    int number = 0;
    std::shared_ptr<Link> previous;
    FERRY_FIELDS(number, previous)
};
struct ByNumber {
    bool operator()(const std::shared_ptr<Link>& left, const std::shared_ptr<Link>& right) const { return left->number < right->number; }
};
struct Links {
    std::set<std::shared_ptr<Link>, ByNumber> links;
    FERRY_FIELDS(links)
};

std::vector<std::shared_ptr<Link>> chainOf(std::size_t count) {
    std::vector<std::shared_ptr<Link>> links;
    for (std::size_t i = 0; i < count; ++i)
        links.push_back(std::make_shared<Link>(Link{static_cast<int>(i), i == 0 ? nullptr : links.back()}));
    return links;
}

}    // namespace unreadableTest

using namespace unreadableTest;
using ferry::test::TemporaryFolder;

TEST_CASE("Unreadable: a chain of owners that is too long is not saved as a value") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "links";
    ferry::save(path, chainOf(9000));    // the nesting includes the vector and its elements
    CHECK_THROWS_WITH_AS(ferry::save(path, chainOf(10002)), doctest::Contains("chain of more than 10000"), ferry::UsageError);
    CHECK(ferry::load<std::vector<std::shared_ptr<Link>>>(path).size() == 9000);
}

TEST_CASE("Unreadable: writer and reader draw the line at the same length") {
    const auto write = [](std::size_t count, std::size_t limit) {
        ferry::IntBuffer buffer;
        ferry::IntWriter out(buffer);
        out.setMaxOwnerChain(limit);
        out << chainOf(count);
        out.finish();
        return std::vector<std::int32_t>(buffer.ints().begin(), buffer.ints().end());
    };
    const auto read = [](const std::vector<std::int32_t>& ints, std::size_t limit) {
        ferry::ReadLimits limits;
        limits.ownerChain = limit;
        ferry::IntReader in(ints, ferry::ObjectFactory::global(), limits);
        std::vector<std::shared_ptr<Link>> links;
        in >> links;
        return links.size();
    };
    std::size_t longest = 0;
    for (std::size_t count = 1; count < 12; ++count) {
        try {
            const auto ints = write(count, 8);
            CHECK(read(ints, 8) == count);
            longest = count;
        } catch (const ferry::UsageError&) {
            CHECK_THROWS_AS(read(write(count, 100), 8), ferry::SerializationError);
        }
    }
    CHECK(longest > 5);
    CHECK(longest < 10);
}

TEST_CASE("Unreadable: elements that take no ints, more of them than readers accept, are not saved") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "nothing";
    ferry::save(path, std::vector<Nothing>(65536));
    CHECK_THROWS_WITH_AS(ferry::save(path, std::vector<Nothing>(200000)), doctest::Contains("elements that take no ints"),
                         ferry::UsageError);
    CHECK(ferry::load<std::vector<Nothing>>(path).size() == 65536);
}

TEST_CASE("Unreadable: a set sorted by what its keys lead to is saved as a value, and not as a graph") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "set";
    Links links;
    for (const int number : {3, 1, 2}) links.links.insert(std::make_shared<Link>(Link{number, nullptr}));
    ferry::save(path, links);
    CHECK_THROWS_AS(ferry::saveGraph(path, &links), ferry::UsageError);
    CHECK((*ferry::load<Links>(path).links.begin())->number == 1);
}

TEST_CASE("Unreadable: text is loaded as a std::string, however it was held") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "text";
    const char* const pointer = "pointer";
    ferry::save(path, "literal");
    CHECK(ferry::load<std::string>(path) == "literal");
    ferry::save(path, pointer);
    CHECK(ferry::load<std::string>(path) == "pointer");
    ferry::save(path, std::string_view("view"));
    CHECK(ferry::load<std::string>(path) == "view");
    const char unended[3] = {'a', 'b', 'c'};
    ferry::save(path, unended);
    CHECK(ferry::load<std::string>(path) == "abc");
    const char* const none = nullptr;
    CHECK_THROWS_WITH_AS(ferry::save(path, none), doctest::Contains("a null pointer stands for a text"), ferry::UsageError);
}

TEST_CASE("Unreadable: a graph that was loaded is saved again") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "graph";
    const auto links = chainOf(3);
    ferry::saveGraph(path, links.back());
    ferry::saveGraph(path, ferry::loadGraph<Link>(path));
    ferry::saveGraph(path, ferry::graph(ferry::loadGraph<Link>(path)));
    CHECK(ferry::loadGraph<Link>(path)->previous->previous->number == 0);
}

TEST_CASE("Unreadable: a folder is called one") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(ferry::save(folder.path(), 5), doctest::Contains("found a folder under this name"));
    CHECK_THROWS_WITH(ferry::load<int>(folder.path()), doctest::Contains("found a folder under this name"));
}

TEST_CASE("Unreadable: a path with a zero byte is refused, and no file of a shorter name is touched") {
    using namespace std::string_literals;
    const TemporaryFolder folder;
    const std::filesystem::path shorter = folder.path() / "state";
    const std::filesystem::path path = shorter.native() + "\0.new"s;
    ferry::save(shorter, 5);
    CHECK_THROWS_WITH(ferry::save(path, 6), doctest::Contains("without zero bytes"));
    CHECK_THROWS_WITH(ferry::load<int>(path), doctest::Contains("without zero bytes"));
    CHECK(ferry::load<int>(shorter) == 5);
}
