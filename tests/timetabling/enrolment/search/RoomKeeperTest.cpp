#include <ferry/apps/timetabling/enrolment/search/RoomKeeper.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/search/Random.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

constexpr int Rooms = 5;
constexpr int Period = 3;

/// Six events and some rooms. Each event needs its own feature, and each room has it at random. So the suitable rooms are random.
Problem randomProblem(Random& random) {
    constexpr int Events = 6;
    Instance instance;
    instance.featureCount = Events;
    instance.roomSeats.assign(Rooms, 10);
    instance.featuresOfRoom.resize(Rooms);
    for (int event = 0; event < Events; ++event) {
        instance.featuresOfEvent.push_back({event});
        for (std::vector<int>& features : instance.featuresOfRoom) {
            if (random.below(2) == 0) features.push_back(event);
        }
        instance.published.places.push_back({random.below(5) == 0 ? 9 : Period, random.below(Rooms + 1) - (random.below(6) == 0 ? 1 : 0)});
    }
    return Problem(instance);
}

/// Finds the least number of events in another room than published, by trying all assignments of rooms.
std::optional<int> leastInOtherRoom(const Problem& problem, const std::vector<int>& events) {
    std::vector<int> rooms(Rooms);
    std::iota(rooms.begin(), rooms.end(), 0);
    std::optional<int> least;
    do {
        int count = 0;
        bool isPossible = events.size() <= rooms.size();
        for (std::size_t i = 0; isPossible && i < events.size(); ++i) {
            isPossible = problem.isSuitable(events[i], rooms[i]);
            count += problem.published()->displacementAt(events[i], {Period, rooms[i]}).otherRoom;
        }
        if (isPossible) least = std::min(least.value_or(count), count);
    } while (std::next_permutation(rooms.begin(), rooms.end()));
    return least;
}

}    // namespace

TEST_CASE("RoomKeeper: the least number of events leave their published room, as an exhaustive search confirms") {
    Random random(1);
    int impossible = 0;
    int displaced = 0;
    for (int i = 0; i < 2000; ++i) {
        const Problem problem = randomProblem(random);
        RoomKeeper keeper(problem);
        for (int repetition = 0; repetition < 3; ++repetition) {
            std::vector<int> events{0, 1, 2, 3, 4, 5};
            random.shuffle(events);
            events.resize(static_cast<std::size_t>(random.below(6)));
            std::vector<int> rooms(Rooms);
            const std::optional<int> found = keeper.match(Period, events, rooms);
            REQUIRE(found == leastInOtherRoom(problem, events));
            impossible += found ? 0 : 1;
            if (!found) continue;
            displaced += *found;
            int inOtherRoom = 0;
            for (const int event : events) {
                const auto room = static_cast<int>(std::find(rooms.begin(), rooms.end(), event) - rooms.begin());
                REQUIRE(room < Rooms);
                REQUIRE(problem.isSuitable(event, room));
                inOtherRoom += problem.published()->displacementAt(event, {Period, room}).otherRoom;
            }
            REQUIRE(inOtherRoom == *found);
            REQUIRE(std::count(rooms.begin(), rooms.end(), -1) == Rooms - static_cast<std::ptrdiff_t>(events.size()));
        }
    }
    CHECK(impossible > 100);
    CHECK(displaced > 1000);
}
