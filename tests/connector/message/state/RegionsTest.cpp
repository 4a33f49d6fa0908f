#include <cstdint>
#include <limits>
#include <stdexcept>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

using namespace ferry;

namespace {

bool isWoken(const detail::Regions& regions) {
    try {
        regions.throwIfFailed();
    } catch (const RegionFailed&) {
        return true;
    }
    return false;
}

}    // namespace

TEST_CASE("comesBefore: numbers go on from the start after the last one") {
    constexpr auto largest = std::numeric_limits<std::int32_t>::max();
    constexpr auto smallest = std::numeric_limits<std::int32_t>::min();
    CHECK(detail::comesBefore(1, 2));
    CHECK_FALSE(detail::comesBefore(2, 2));
    CHECK_FALSE(detail::comesBefore(2, 1));
    CHECK(detail::comesBefore(largest, smallest));
    CHECK_FALSE(detail::comesBefore(smallest, largest));
}

TEST_CASE("Regions: numbers are given away one by one, and packets are stamped with the innermost and the time") {
    detail::Regions regions(2);
    const auto stampOf = [&regions] {
        IntBuffer ints;
        IntWriter(ints).writeInts(std::vector<std::int32_t>{1, 2, 3, 77, 77, 6});
        regions.stamp(ints, regions.innermost());
        return std::vector<std::int32_t>(ints.data(), ints.data() + ints.size());
    };
    CHECK(stampOf() == std::vector<std::int32_t>{1, 2, 3, 0, 1, 6});
    regions.enter();
    regions.enter();
    CHECK(stampOf() == std::vector<std::int32_t>{1, 2, 3, 2, 2, 6});
    regions.leave();
    CHECK(stampOf() == std::vector<std::int32_t>{1, 2, 3, 1, 3, 6});
    regions.noteArrival(1, detail::Channel::Data, 40);
    CHECK(stampOf() == std::vector<std::int32_t>{1, 2, 3, 1, 42, 6});
    CHECK(regions.last() == 2);
    IntBuffer tooShort;
    IntWriter(tooShort).writeInts(std::vector<std::int32_t>{1, 2, 3, 4});
    regions.stamp(tooShort, 0);
    CHECK(tooShort.data()[3] == 4);
}

TEST_CASE("Regions: a notice concerns the region that it names: one that this rank is in, will enter, or has left") {
    detail::Regions regions(2);
    regions.enter();
    regions.leave();
    regions.noteFailure(1, 1);    // region 1, which this rank has left
    regions.enter();
    CHECK_FALSE(isWoken(regions));
    regions.noteFailure(4, 1);    // region 4, which this rank will enter
    regions.enter();
    CHECK_FALSE(isWoken(regions));
    regions.enter();
    CHECK(isWoken(regions));
    CHECK(regions.hasInnermostFailed());
    CHECK(regions.failedRank() == 1);
    CHECK_FALSE(regions.hasOuterFailed());
    regions.leaveFailed(4, 10);
    CHECK_FALSE(isWoken(regions));
    regions.noteFailure(2, 0);    // region 2, an outer region
    CHECK(isWoken(regions));
    CHECK(regions.hasOuterFailed());
    CHECK_FALSE(regions.hasInnermostFailed());
}

TEST_CASE("Regions: a notice of the next region is kept while those inside of a failed one are skipped") {
    detail::Regions regions(3);
    regions.enter();    // region 1. Another rank has been in the inner regions 2 and 3, has the verdict, and has failed in region 4
    regions.noteFailure(4, 2);
    regions.noteFailure(2, 2);
    regions.leaveFailed(3, 10);
    CHECK(regions.last() == 3);
    regions.enter();
    CHECK(regions.innermost() == 4);
    CHECK(isWoken(regions));
}

TEST_CASE("Regions: letters of a failed region and of regions inside it are over, all others are not") {
    detail::Regions regions(2);
    regions.enter();
    regions.leave();
    regions.enter();
    regions.leaveFailed(4, 10);
    regions.enter();
    regions.leave();
    regions.enter();
    regions.leaveFailed(6, 20);
    for (const std::int32_t region : {2, 3, 4, 6}) CHECK(regions.isOver(region));
    for (const std::int32_t region : {0, 1, 5, 7}) CHECK_FALSE(regions.isOver(region));
}

TEST_CASE("Regions: a failed region is forgotten when every rank was heard on both channels later, or has gone") {
    detail::Regions regions(3);
    regions.enter();
    regions.leaveFailed(1, 10);
    const auto failAnother = [&regions](std::int32_t clock) {
        regions.enter();
        regions.leaveFailed(regions.last(), clock);
    };
    for (const int rank : {0, 1}) {
        regions.noteArrival(rank, detail::Channel::Data, 11);
        regions.noteArrival(rank, detail::Channel::Control, 11);
    }
    regions.noteArrival(2, detail::Channel::Control, 50);
    failAnother(60);
    CHECK(regions.rememberedRanges() == 2);
    regions.noteArrival(2, detail::Channel::Data, 10);    // not later than the verdict
    failAnother(61);
    CHECK(regions.rememberedRanges() == 3);
    regions.noteGone(2);
    failAnother(62);
    CHECK(regions.rememberedRanges() == 3);
    CHECK_FALSE(regions.isOver(1));
    CHECK(regions.isOver(2));
}

TEST_CASE("Regions: an exception on its way out is told from one that was on its way already") {
    detail::Regions regions(1);
    struct Watch {
        const detail::Regions& regions;
        bool& isUnwinding;
        ~Watch() { isUnwinding = regions.isUnwinding(); }
    };
    bool isUnwinding = true;
    { const Watch watch{regions, isUnwinding}; }
    CHECK_FALSE(isUnwinding);
    regions.enter();
    try {
        const Watch watch{regions, isUnwinding};
        throw std::runtime_error("out");
    } catch (const std::runtime_error&) {
        CHECK(isUnwinding);
        CHECK_FALSE(regions.isUnwinding());
    }
}
