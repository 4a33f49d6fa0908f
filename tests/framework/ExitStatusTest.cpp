#include <ferry/framework/ending/ExitStatus.hpp>

#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

using namespace ferry;

namespace {

std::exception_ptr listOf(const std::vector<std::exception_ptr>& exceptions) {
    std::vector<detail::FailureRecord> records;
    int rank = 0;
    for (const std::exception_ptr& exception : exceptions) {
        detail::mergeRecords(records, detail::recordsOf(exception, rank, rank));
        ++rank;
    }
    return std::make_exception_ptr(ExceptionList(std::move(records)));
}

}    // namespace

TEST_CASE("ExitStatus: a list with a failed xassert has the status of one, wherever it stands; any other has that of its cause") {
    const auto ordinary = std::make_exception_ptr(std::runtime_error("ordinary"));
    const auto assertion = std::make_exception_ptr(AssertionFailure("a < b", "2 < 1", "", "file.cpp", 7));
    const auto terminated = std::make_exception_ptr(Terminated("exit(9) was called", 9));
    CHECK(detail::exitStatusOf(listOf({assertion})) == exitStatus::assertion);
    CHECK(detail::exitStatusOf(listOf({ordinary, assertion})) == exitStatus::assertion);
    CHECK(detail::exitStatusOf(listOf({ordinary, terminated})) == exitStatus::exception);
    CHECK(detail::exitStatusOf(listOf({terminated, ordinary})) == 9);
    CHECK(detail::exitStatusOf(std::make_exception_ptr(ExceptionList())) == exitStatus::exception);
}

TEST_CASE("ExitStatus: lost ranks have a status of their own") {
    const auto lost = std::make_exception_ptr(LostRank("rank 3 is gone"));
    CHECK(detail::exitStatusOf(lost) == exitStatus::lostRank);
    CHECK(detail::exitStatusOf(listOf({lost, std::make_exception_ptr(std::runtime_error("ordinary"))})) == exitStatus::lostRank);
    CHECK(detail::exitStatusOf(std::make_exception_ptr(NoSlavesLeft())) == exitStatus::lostRank);
    CHECK(exitStatus::lostRank != exitStatus::exception);
}
