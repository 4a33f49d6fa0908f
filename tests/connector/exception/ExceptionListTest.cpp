#include <ferry/connector/exception/ExceptionList.hpp>

#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

template <class E>
std::vector<detail::FailureRecord> one(const E& exception, int rank, std::int32_t clock) {
    return detail::recordsOf(std::make_exception_ptr(exception), rank, clock);
}

ExceptionList threeFailures() {
    std::vector<detail::FailureRecord> records = one(std::out_of_range("late"), 0, 9);
    detail::mergeRecords(records, one(Overloaded(3, {"A"}), 2, 4));
    detail::mergeRecords(records, one(std::runtime_error("middle"), 1, 5));
    detail::mergeRecords(records, one(std::runtime_error("middle"), 5, 4));
    return ExceptionList(std::move(records));
}

std::vector<std::int32_t> written(const ExceptionList& list) {
    IntBuffer buffer;
    IntWriter out(buffer);
    list.writeToInts(out);
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

}    // namespace

TEST_CASE("ExceptionList: failures in the order of logical time, then of ranks; equal ones as one") {
    const ExceptionList list = threeFailures();
    REQUIRE(list.size() == 3);
    CHECK(list.front().typeName() == "ferry::test::Overloaded");
    CHECK(list[1].what() == std::string("middle"));
    CHECK(list[1].ranks() == std::vector<int>{1, 5});
    CHECK(list[1].rank() == 5);    // the rank of the first occurrence
    CHECK(list[2].rank() == 0);
    CHECK(list.what() == std::string("3 failures, first on rank 2: more than there is room for"));
    CHECK_THROWS_AS(static_cast<void>(list[3]), std::out_of_range);
    CHECK_THROWS_AS(static_cast<void>(ExceptionList().front()), std::out_of_range);
}

TEST_CASE("ExceptionList: failures are filtered by class, and thrown again as what they are") {
    const ExceptionList list = threeFailures();
    CHECK(list.of<std::logic_error>().size() == 1);
    CHECK(list.of<std::exception>().size() == 3);
    CHECK(list.of<std::bad_alloc>().empty());
    CHECK(list.front().as<Overloaded>()->limit == 3);
    CHECK(list.front().as<std::out_of_range>() == nullptr);
    CHECK_THROWS_AS(list[2].rethrow(), std::out_of_range);
    std::size_t count = 0;
    for (const Failure& failure : list) count += failure.exception() != nullptr ? 1 : 0;
    CHECK(count == 3);
}

TEST_CASE("ExceptionList: failures with other data, or of other lines, are not equal") {
    std::vector<detail::FailureRecord> records = one(Overloaded(3, {}), 0, 1);
    detail::mergeRecords(records, one(Overloaded(4, {}), 1, 1));
    Overloaded located(3, {});
    located.setOrigin(Origin::here("other.cpp", 7));
    detail::mergeRecords(records, one(located, 2, 1));
    CHECK(records.size() == 3);
}

TEST_CASE("ExceptionList: a list among the failures is taken apart, and none is there twice") {
    const ExceptionList list = threeFailures();
    std::vector<detail::FailureRecord> records = one(list, 0, 20);
    detail::mergeRecords(records, one(list, 1, 21));
    detail::mergeRecords(records, one(std::logic_error("another"), 1, 22));
    const ExceptionList outer(std::move(records));
    REQUIRE(outer.size() == 4);
    CHECK(outer.front().ranks() == std::vector<int>{2});
    CHECK(outer[3].what() == std::string("another"));
}

TEST_CASE("ExceptionList: travels with all that is known of its failures") {
    const ExceptionList list = threeFailures();
    const std::vector<std::int32_t> ints = written(list);
    ExceptionList read;
    IntReader in(ints);
    read.readFromInts(in);
    in.expectEnd();
    REQUIRE(read.size() == 3);
    CHECK(read[1].ranks() == list[1].ranks());
    CHECK(read.front().as<Overloaded>()->rooms == std::vector<std::string>{"A"});
    CHECK(written(read) == ints);
    for (std::size_t length = 0; length < ints.size(); ++length) {
        IntReader cut(std::span<const std::int32_t>(ints).first(length));
        CHECK_THROWS_AS(read.readFromInts(cut), SerializationError);
    }
}

TEST_CASE("ExceptionList: ranks that are no ascending list are refused") {
    for (const std::vector<std::int32_t>& ranks : {std::vector<std::int32_t>{}, {-1}, {2, 2}, {3, 1}}) {
        std::vector<detail::FailureRecord> records = one(std::runtime_error("x"), 1, 1);
        records.front().ranks = ranks;
        IntBuffer buffer;
        IntWriter out(buffer);
        out << records;
        out.finish();
        IntReader in(buffer.ints());
        ExceptionList list;
        CHECK_THROWS_AS(list.readFromInts(in), SerializationError);
    }
}

TEST_CASE("ExceptionList: lists that are causes in lists are read to a limited depth only") {
    const auto nestedList = [](int depth) {
        ExceptionList list(one(std::runtime_error("innermost"), 0, 1));
        for (int level = 1; level < depth; ++level) {
            Exception outer("level");
            outer.setCause(std::make_exception_ptr(list));
            list = ExceptionList(one(outer, 0, 1));
        }
        return written(list);
    };
    const auto depthOf = [](const std::vector<std::int32_t>& ints) {
        ExceptionList list;
        IntReader in(ints);
        list.readFromInts(in);
        int depth = 1;
        const std::string story = report(std::make_exception_ptr(list));
        for (std::size_t at = story.find("caused by"); at != std::string::npos; at = story.find("caused by", at + 1)) ++depth;
        return depth;
    };
    CHECK(depthOf(nestedList(ExceptionList::MaxDepth)) == ExceptionList::MaxDepth);
    CHECK(depthOf(nestedList(ExceptionList::MaxDepth + 5)) <= ExceptionList::MaxDepth + 1);
}

TEST_CASE("report: tells all failures of a list, with their ranks and causes") {
    std::vector<detail::FailureRecord> records = one(std::runtime_error("no licence"), 1, 1);
    detail::mergeRecords(records, one(std::runtime_error("no licence"), 3, 1));
    Exception outer("solving");
    outer.setCause(std::make_exception_ptr(std::domain_error("singular")));
    detail::mergeRecords(records, one(outer, 2, 7));
    const ExceptionList list(std::move(records));
    const std::string story = report(list);
    CHECK(story.find("ferry::ExceptionList: 2 failures, first on rank 1: no licence") == 0);
    CHECK(story.find("\n  failure on ranks 1, 3: std::runtime_error on ") != std::string::npos);
    CHECK(story.find("\n  failure: ferry::Exception on ") != std::string::npos);
    CHECK(story.find("\n    caused by std::domain_error") != std::string::npos);

    const auto json = nlohmann::json::parse(reportJson(list));
    CHECK(json["type"] == "ferry::ExceptionList");
    REQUIRE(json["failures"].size() == 2);
    CHECK(json["failures"][0]["ranks"] == nlohmann::json{1, 3});
    CHECK(json["failures"][0]["type"] == "std::runtime_error");
    CHECK(json["failures"][1]["causes"][0]["text"] == "singular");
}

TEST_CASE("ExceptionList: the report of many failures groups them, and names ranks in ranges") {
    std::vector<detail::FailureRecord> records;
    for (int rank = 0; rank < 40; ++rank) detail::mergeRecords(records, one(std::runtime_error("value " + std::to_string(rank)), rank, 1));
    detail::mergeRecords(records, one(std::domain_error("singular"), 50, 7));
    const std::string story = report(ExceptionList(std::move(records)));
    CHECK(story.find("\n  failure on 40 ranks (0-39): std::runtime_error on ") != std::string::npos);
    CHECK(story.find("\n    (40 failures with 40 different texts)") != std::string::npos);
    CHECK(story.find("\n  failure on rank 50: std::domain_error on ") > story.find("(0-39)"));

    std::vector<detail::FailureRecord> equal;
    for (int rank = 0; rank < 1000; ++rank) detail::mergeRecords(equal, one(std::runtime_error("no licence"), rank, 1));
    CHECK(report(ExceptionList(std::move(equal))).find("\n  failure on 1000 ranks (0-999): std::runtime_error on ") != std::string::npos);
}
