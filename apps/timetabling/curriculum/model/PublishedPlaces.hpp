#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/model/Displacement.hpp>
#include <ferry/apps/timetabling/model/IndexLists.hpp>

namespace timetabling::curriculum {

/// The published places of the lectures of an instance, and the charge for a lecture in another place.
/// The lectures of a course are interchangeable: a place counts as published if any lecture of the course was there.
class PublishedPlaces {
public:
    static constexpr int NoLecture = -1;
    static constexpr int RoomIsGone = -2;

    /// The indices in the instance have to pass checkInstance().
    PublishedPlaces(const Instance& instance, const Weights& weights);

    /// The room in which a lecture of the course was published in this period; or NoLecture, or RoomIsGone.
    int roomAt(int course, int period) const {
        return roomAt_[static_cast<std::size_t>(course) * periodCount_ + static_cast<std::size_t>(period)];
    }
    /// The periods in which the course was published, in order.
    std::span<const int> periodsOf(int course) const { return periods_[course]; }

    /// Returns the displacement that a lecture of the course in this place adds.
    Displacement displacementAt(int course, int period, int room) const {
        const int published = roomAt(course, period);
        if (published == room) return {};
        return published == NoLecture ? Displacement{1, 0} : Displacement{0, 1};
    }
    /// Number of lectures beyond those that were published. An additional lecture is displaced in any place, so this number is
    /// subtracted.
    int additionalLectures() const { return additionalLectures_; }

    /// The charges for displaced lectures. With 'as few as possible', the search minimises first the number of displaced lectures.
    /// The number of lectures in another period comes second, and the cost third.
    const DisplacementCharges& charges() const { return charges_; }

private:
    std::size_t periodCount_;
    std::vector<std::int32_t> roomAt_;    ///< indexed by course and period
    IndexLists periods_;                  ///< indexed by course
    int additionalLectures_ = 0;
    DisplacementCharges charges_;
};

}    // namespace timetabling::curriculum
