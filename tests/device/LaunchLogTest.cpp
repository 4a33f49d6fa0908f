#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/device/failure/KernelSources.hpp>
#include <ferry/device/failure/SiteRecorder.hpp>
#include <ferry/device/program/SiteFailure.hpp>
#include <ferry/device/runtime/LaunchLog.hpp>
#include <ferry/tests/device/Failures.hpp>

// The parts of the CUDA runtime that decide which launch failed, and with which assertion. No device is needed.

using namespace ferry::detail;
using namespace ferry::test;

namespace {

struct Marked {
    std::array<std::uint32_t, LaunchLog::Kept> marks{};
    LaunchLog log{marks.data()};
};

/// As the check in a kernel records it.
template <class Values, class... Arguments>
void record(SiteRecords& records, const Values& condition, const char* text, std::uint32_t block, std::uint32_t thread,
            const Arguments&... arguments) {
    const SiteValues values = siteValues(condition);
    if (!values.isFailed) return;
    SiteRecord& site = records.kept[records.count++];
    fillSite(site, values, text, "/folder/kernels.cu", 7, arguments...);
    site.block[0] = block;
    site.thread[0] = thread;
    site.values.item = block * 256 + thread;
}

ferry::AssertionFailure failureOf(const SiteRecords& records, const LaunchPlace& place = {"/folder/main.cu", 3}) {
    try {
        throwSiteFailure(records, "CUDA (test)", place);
    } catch (const ferry::AssertionFailure& e) {
        return e;
    }
}

}    // namespace

TEST_CASE("LaunchLog: after a fault, the first launch without a mark is the one that failed, for each of them") {
    for (std::size_t faulty = 0; faulty < 100; ++faulty) {
        Marked marked;
        for (int i = 0; i < 100; ++i) CHECK(marked.log.note(QueueNumber::First, {"file.cu", i}) == static_cast<std::size_t>(i));
        for (std::size_t i = 0; i < faulty; ++i) marked.marks[i] = 0;
        const auto place = marked.log.firstNotEnded();
        REQUIRE(place.has_value());
        CHECK(place->line == static_cast<int>(faulty));
    }
}

TEST_CASE("LaunchLog: the first launch with more failures than before it is named, unless several queues had launches") {
    Marked marked;
    for (int i = 0; i < 5; ++i) static_cast<void>(marked.log.note(QueueNumber::First, {"file.cu", i}));
    const std::uint32_t counts[] = {0, 0, 4, 4, 9};
    std::copy(std::begin(counts), std::end(counts), marked.marks.begin());
    CHECK(marked.log.firstFailed(0)->line == 2);
    CHECK(marked.log.firstFailed(4)->line == 4);
    CHECK(!marked.log.firstFailed(9).has_value());
    CHECK(!marked.log.firstNotEnded().has_value());
    static_cast<void>(marked.log.note(static_cast<QueueNumber>(1), {"file.cu", 9}));
    CHECK(!marked.log.firstFailed(0).has_value());
    marked.log.takeBack();
    CHECK(marked.log.firstFailed(0).has_value());
    marked.log.clear();
    CHECK(marked.log.isEmpty());
}

TEST_CASE("LaunchLog: it is full after its number of launches, and empty after clear()") {
    const auto marked = std::make_unique<Marked>();
    for (std::size_t i = 0; i < LaunchLog::Kept; ++i) {
        CHECK(!marked->log.isFull());
        static_cast<void>(marked->log.note(QueueNumber::First, {}));
    }
    CHECK(marked->log.isFull());
    marked->log.clear();
    CHECK(!marked->log.isFull());
}

TEST_CASE("SiteFailure: the failure of the lowest block and thread arrives with expression, values, message and place") {
    const auto records = std::make_unique<SiteRecords>();
    const int seats = 31;
    const unsigned long long capacity = 30;
    const double mass = -0.5;
    record(*records, Decomposer() <= seats > 0, "seats > 0", 0, 0);    // holds
    CHECK(records->count == 0);
    record(*records, Decomposer() <= mass > 0, "mass > 0, \"mass {}\", mass", 2, 5, "mass {}", mass);
    record(*records, Decomposer() <= seats <= static_cast<int>(capacity), "seats <= capacity", 1, 9);
    record(*records, Decomposer() <= mass > 0, "mass > 0, \"{}, {}, {}, {}\"", 1, 3, "{}, {}, {}, {}", 'a', 2u, capacity, true,
           "not shown");
    const ferry::AssertionFailure lowest = failureOf(*records);
    CHECK(lowest.expression == "mass > 0");
    CHECK(lowest.values == "-0.5 > 0");
    CHECK(lowest.message == "97, 2, 30, 1");
    CHECK(lowest.file == "/folder/kernels.cu");
    CHECK(lowest.line == 7);
    CHECK(contextOf(lowest, "device") == "CUDA (test)");
    CHECK(contextOf(lowest, "kernel launched at") == "main.cu:3");
    CHECK(contextOf(lowest, "block") == "1");
    CHECK(contextOf(lowest, "thread") == "3");
    CHECK(contextOf(lowest, "work item") == "259");
    CHECK(contextOf(failureOf(*records, {}), "kernel launched at").empty());
    records->kept[2].block[0] = 9;
    CHECK(failureOf(*records).expression == "seats <= capacity");
    CHECK(failureOf(*records).values == "31 <= 30");
    records->kept[1].block[1] = 4;
    CHECK(contextOf(failureOf(*records), "block") == "2");
    records->kept[0].thread[2] = 1;
    CHECK(contextOf(failureOf(*records), "thread") == "5,0,1");
}

TEST_CASE("SiteFailure: conditions that are no comparison, values that are no numbers, and texts that are too long") {
    const auto records = std::make_unique<SiteRecords>();
    const bool isOpen = false;
    const std::string text = "text";
    record(*records, Decomposer() <= isOpen, "isOpen", 0, 0);
    CHECK(failureOf(*records).values.empty());
    CHECK(failureOf(*records).expression == "isOpen");
    records->count = 0;
    record(*records, isOpen && !isOpen, "isOpen && !isOpen", 0, 0);
    CHECK(failureOf(*records).expression == "isOpen && !isOpen");
    records->count = 0;
    FERRY_BEGIN_DECOMPOSED
    record(*records, Decomposer() <= text == "other", "text == \"other\"", 0, 0);
    FERRY_END_DECOMPOSED
    CHECK(failureOf(*records).values.empty());
    records->count = 0;
    record(*records, Decomposer() <= isOpen, std::string(1000, 'x').c_str(), 0, 0);
    CHECK(failureOf(*records).expression == std::string(SiteRecord::TextBytes - 1, 'x'));
    std::fill(std::begin(records->kept[0].message), std::end(records->kept[0].message), 'y');
    CHECK_THROWS_AS(throwSiteFailure(*records, "CUDA", {}), ferry::DeviceError);
    records->count = 0;
    CHECK_THROWS_AS(throwSiteFailure(*records, "CUDA", {}), ferry::DeviceError);
}

TEST_CASE("KernelSources: sources are told from the first one that is not known") {
    const std::size_t before = kernelSourcesFrom(0).size();
    const KernelSource source = [](void*) { return 3; };
    CHECK(noteKernelSource(source));
    CHECK(kernelSourcesFrom(before).size() == 1);
    CHECK(kernelSourcesFrom(before)[0](nullptr) == 3);
    CHECK(kernelSourcesFrom(before + 1).empty());
    CHECK(kernelSourcesFrom(before + 9).empty());
}
