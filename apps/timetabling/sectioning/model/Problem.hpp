#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/model/IndexLists.hpp>
#include <ferry/apps/timetabling/sectioning/model/Instance.hpp>

namespace timetabling::sectioning {

/// One course of one student. The student needs a class of each subpart of one configuration.
struct Request {
    int student = 0;
    int course = 0;
    int firstEntry = 0;    ///< where the classes of the request begin in a list of all entries
    int entryCount = 0;    ///< the number of subparts of the largest configuration of the course
};

/// An instance with all data that are derived from it.
///
/// Threads: the problem does not change after construction, so any number of threads may read it.
/// Errors: the constructor throws the exceptions of checkInstance().
class Problem {
public:
    explicit Problem(Instance instance);

    const Instance& instance() const { return instance_; }
    int classCount() const { return static_cast<int>(instance_.classes.size()); }
    int studentCount() const { return static_cast<int>(instance_.students.size()); }
    const Class& classAt(int index) const { return instance_.classes[static_cast<std::size_t>(index)]; }
    int configOf(int index) const { return instance_.subparts[static_cast<std::size_t>(classAt(index).subpart)].config; }
    int courseOf(int index) const { return instance_.configs[static_cast<std::size_t>(configOf(index))].course; }

    const std::vector<int>& subpartsOf(int config) const { return instance_.configs[static_cast<std::size_t>(config)].subparts; }

    /// The number of time slots from one room to the other. 0 when one of them is -1.
    int travel(int room, int other) const {
        if (room < 0 || other < 0) return 0;
        return travel_[static_cast<std::size_t>(room) * instance_.rooms.size() + static_cast<std::size_t>(other)];
    }
    /// Whether the room is closed during a part of the time.
    bool isClosed(int room, const TimeSpan& span) const;

    const Distribution& distribution(int index) const { return instance_.distributions[static_cast<std::size_t>(index)]; }
    /// The distributions that the class belongs to.
    std::span<const int> distributionsOf(int index) const { return distributionsOf_[index]; }

    /// The courses of all students, sorted by student.
    const std::vector<Request>& requests() const { return requests_; }
    /// The requests for the course.
    std::span<const int> requestsFor(int course) const { return requestsFor_[course]; }
    int entryCount() const { return entryCount_; }

private:
    Instance instance_;
    std::vector<std::uint16_t> travel_;    ///< indexed by room and room
    IndexLists distributionsOf_;
    IndexLists requestsFor_;
    std::vector<Request> requests_;
    int entryCount_ = 0;
};

}    // namespace timetabling::sectioning
