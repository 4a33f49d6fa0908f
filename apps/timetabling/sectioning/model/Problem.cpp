#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>

#include <algorithm>
#include <utility>

#include <ferry/apps/timetabling/model/CheckCount.hpp>

namespace timetabling::sectioning {

namespace {

Instance checked(Instance instance) {
    checkInstance(instance);
    return instance;
}

}    // namespace

Problem::Problem(Instance instance) : instance_(checked(std::move(instance))) {
    const std::size_t roomCount = instance_.rooms.size();
    travel_.assign(roomCount * roomCount, 0);
    for (std::size_t room = 0; room < roomCount; ++room) {
        for (const Travel& travel : instance_.rooms[room].travels)
            travel_[room * roomCount + static_cast<std::size_t>(travel.room)] = static_cast<std::uint16_t>(travel.slotCount);
    }

    std::vector<std::vector<int>> ofClass(instance_.classes.size());
    for (std::size_t i = 0; i < instance_.distributions.size(); ++i) {
        for (const int index : instance_.distributions[i].classes) ofClass[static_cast<std::size_t>(index)].push_back(static_cast<int>(i));
    }
    distributionsOf_ = IndexLists(ofClass);

    std::vector<std::vector<int>> forCourse(instance_.courses.size());
    for (std::size_t student = 0; student < instance_.students.size(); ++student) {
        for (const int course : instance_.students[student].courses) {
            std::size_t most = 0;
            for (const int config : instance_.courses[static_cast<std::size_t>(course)].configs)
                most = std::max(most, instance_.configs[static_cast<std::size_t>(config)].subparts.size());
            forCourse[static_cast<std::size_t>(course)].push_back(static_cast<int>(requests_.size()));
            requests_.push_back({static_cast<int>(student), course, entryCount_, static_cast<int>(most)});
            entryCount_ += static_cast<int>(most);
        }
    }
    requestsFor_ = IndexLists(forCourse);
}

bool Problem::isClosed(int room, const TimeSpan& span) const {
    const std::vector<TimeSpan>& closings = instance_.rooms[static_cast<std::size_t>(room)].closings;
    return std::any_of(closings.begin(), closings.end(), [&span](const TimeSpan& closing) { return overlap(closing, span); });
}

}    // namespace timetabling::sectioning
