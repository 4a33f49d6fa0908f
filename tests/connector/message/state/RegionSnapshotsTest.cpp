#include <ferry/connector/message/state/RegionSnapshots.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace {

const detail::RegionSnapshots::Place outerPlace{nullptr, 1};
const detail::RegionSnapshots::Place innerPlace{nullptr, 2};

}    // namespace

TEST_CASE("RegionSnapshots: the state goes back to the beginning of the region that has failed") {
    detail::Regions regions(2);
    detail::RegionSnapshots snapshots(regions);
    int state = 1;
    snapshots.onSave([&state] { return [&state, saved = state] { state = saved; }; });
    snapshots.save(outerPlace);
    state = 2;
    snapshots.save(innerPlace);
    state = 3;
    SUBCASE("the inner one") {
        snapshots.restore(innerPlace);
        CHECK(state == 2);
    }
    SUBCASE("the outer one, after the inner one was left") {
        snapshots.forget(innerPlace);
        snapshots.restore(outerPlace);
        CHECK(state == 1);
    }
    SUBCASE("a region in which this group was made has no state") {
        snapshots.restore(detail::RegionSnapshots::Place{nullptr, 3});
        CHECK(state == 3);
    }
}

TEST_CASE("RegionSnapshots: numbers of regions are given again, and their notices count again unless they were dropped") {
    for (const bool isDropped : {false, true}) {
        CAPTURE(isDropped);
        detail::Regions regions(2);
        detail::RegionSnapshots snapshots(regions);
        snapshots.save(outerPlace);
        regions.enter();
        regions.leave();
        regions.noteFailure(1, 1);
        snapshots.keep({{7}, 1, 1});
        if (isDropped)
            snapshots.dropNotices([](const detail::RegionSnapshots::FailureNotice& notice) { return notice.regionsAround.front() == 7; });
        snapshots.restore(outerPlace);
        regions.enter();
        CHECK(regions.innermost() == 1);
        CHECK(regions.hasInnermostFailed() == !isDropped);
    }
}

TEST_CASE("RegionSnapshots: without a saved state, notices of regions that this rank has entered are forgotten") {
    detail::Regions regions(2);
    detail::RegionSnapshots snapshots(regions);
    snapshots.keep({{}, 1, 1});
    snapshots.save(outerPlace);
    snapshots.forget(outerPlace);    // the notice stays: this rank has not entered region 1
    regions.enter();
    regions.leave();
    snapshots.save(outerPlace);
    snapshots.forget(outerPlace);
    int notices = 0;
    snapshots.dropNotices([&notices](const detail::RegionSnapshots::FailureNotice&) { return ++notices > 0; });
    CHECK(notices == 0);
}
