#include <ferry/framework/ending/JobReport.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/framework/ending/KnownFailures.hpp>
#include <ferry/framework/ending/ReportPrinter.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace jobreporttest {

const detail::JobReport& failedReport() {
    static const detail::JobReport report(
        3, {std::make_exception_ptr(std::out_of_range("first")), std::make_exception_ptr(std::range_error("second"))},
        "rank 2 did not stop within 5 ms");
    return report;
}

/// An exception with a place of its throw on this rank.
Exception located(const char* text, int line) { return detail::withThrowPoint(Exception(text), "solver.cpp", line); }

}    // namespace jobreporttest

using namespace jobreporttest;

TEST_CASE("JobReport: the text has the cause first, then the others, then why the job was ended by force") {
    const std::string text = failedReport().text();
    CHECK(text.find("ferry: the job was stopped, every rank exits with status 3\n  std::out_of_range") == 0);
    CHECK(text.find("\n  also std::range_error") > text.find("first"));
    CHECK(text.find("ferry: rank 2 did not stop within 5 ms: the job is ended by force\n") > text.find("second"));
    CHECK(detail::JobReport(0, {}).text().empty());
}

TEST_CASE("JobReport: the failures of many ranks are one page with the cause first, and the JSON has all of them") {
    constexpr int count = isSanitized ? 5'000 : 100'000;
    std::vector<std::exception_ptr> failures;
    failures.reserve(count);
    for (int rank = 0; rank < count; ++rank) {
        detail::setRankOfThisThread(rank);
        if (rank == 0) {
            failures.push_back(std::make_exception_ptr(located("the cause", 1000)));
        } else {
            failures.push_back(std::make_exception_ptr(located(rank % 2 == 0 ? "no room" : "no time", rank % 12)));
        }
    }
    detail::setRankOfThisThread(-1);
    const detail::JobReport report(5, failures);
    const std::string text = report.text();
    CHECK(std::count(text.begin(), text.end(), '\n') <= 60);
    const std::size_t cause = text.find("failure on rank 0: ferry::Exception");
    CHECK(text.find("ferry: the job was stopped, every rank exits with status 5\n  failure on rank 0: ") == 0);
    CHECK(text.find("the cause") > cause);
    CHECK(text.find(" more)") > text.find("the cause"));
    CHECK(text.find("further kinds: the report as JSON has all of them") != std::string::npos);
    CHECK(nlohmann::json::parse(report.json())["failures"].size() == count);
}

TEST_CASE("KnownFailures: a throw is known once it was added, also in a list, and another one with its text is not") {
    detail::KnownFailures known;
    const auto first = std::make_exception_ptr(located("torn", 1));
    const auto second = std::make_exception_ptr(std::runtime_error("torn"));
    CHECK_FALSE(known.contains(first));
    known.add(first);
    CHECK(known.contains(first));
    CHECK_FALSE(known.contains(second));
    const ExceptionList list(detail::recordsOf(second, 3, 1));
    known.add(std::make_exception_ptr(list));
    CHECK(known.contains(list.front().exception()));
}

TEST_CASE("setReportPrinter: the function takes reports in the place of standard error, until an empty one is set") {
    std::string taken;
    setReportPrinter([&taken](const std::string& report) { taken += report; });
    failedReport().print();
    CHECK(taken == failedReport().text());
    taken.clear();
    failedReport().printAtOnce();
    CHECK(taken == failedReport().text());
    setReportPrinter({});
    CHECK_FALSE(detail::printElsewhere("a report"));
}

TEST_CASE("setReportPrinter: when the function throws, the report goes to standard error") {
    setReportPrinter([](const std::string&) { throw std::runtime_error("no paper"); });
    CHECK_FALSE(detail::printElsewhere("a report"));
    setReportPrinter(nullptr);
}

TEST_CASE("JobReport: as JSON it has the status, each failure, and why the job was ended by force") {
    const auto json = nlohmann::json::parse(failedReport().json());
    CHECK(json["status"] == 3);
    REQUIRE(json["failures"].size() == 2);
    CHECK(json["failures"][0]["type"] == "std::out_of_range");
    CHECK(json["failures"][1]["text"] == "second");
    CHECK(json["endedByForce"] == "rank 2 did not stop within 5 ms");
    const auto done = nlohmann::json::parse(detail::JobReport(0, {}).json());
    CHECK(done["failures"].empty());
    CHECK(done["endedByForce"].is_null());
}

TEST_CASE("JobReport: the first one that is saved stays, until the next job begins") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "report.json";
    failedReport().save(path);
    detail::JobReport(0, {}).save(path);
    CHECK(nlohmann::json::parse(bytesOf(path))["status"] == 3);
    CHECK(detail::JobReport::prepare(path) == nullptr);
    CHECK_FALSE(std::filesystem::exists(path));
    detail::JobReport(0, {}).save(path);
    CHECK(bytesOf(path) == detail::JobReport(0, {}).json());
    CHECK(folder.fileCount() == 1);
    detail::JobReport(0, {}).save("");
    detail::JobReport::prepare(folder.path());    // this file is no report, and stays
    CHECK(std::filesystem::exists(folder.path()));
}

TEST_CASE("JobReport: behind a link the old report goes and the new one comes; the link stays") {
    const TemporaryFolder folder;
    writeBytes(folder / "old.json", "{\"status\": 0}");
    std::filesystem::create_symlink("old.json", folder / "link.json");
    detail::JobReport::prepare(folder / "link.json");
    CHECK_FALSE(std::filesystem::exists(folder / "old.json"));
    failedReport().save(folder / "link.json");
    CHECK(std::filesystem::is_symlink(folder / "link.json"));
    CHECK(nlohmann::json::parse(bytesOf(folder / "old.json"))["status"] == 3);
}

TEST_CASE("JobReport: a pipe without a reader holds up nobody, and one with a reader is open for the whole job") {
    const TemporaryFolder folder;
    const std::string path = folder / "pipe";
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(detail::JobReport::prepare(path) == nullptr);
    failedReport().save(path);
    const detail::FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    {
        const auto stream = detail::JobReport::prepare(path);
        CHECK(stream != nullptr);
        detail::JobReport(0, {}).save(path);
    }
    std::string read(1000, ' ');
    const ssize_t count = ::read(reader.number(), read.data(), read.size());
    REQUIRE(count > 0);
    CHECK(read.substr(0, static_cast<std::size_t>(count)) == detail::JobReport(0, {}).json());
}
