#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/model/Displacement.hpp>
#include <ferry/apps/timetabling/model/IndexLists.hpp>

namespace timetabling::curriculum {

/// Where the lectures of an instance were published, and what it counts to have them elsewhere. The lectures of a course are alike: one is
/// where it was published if any lecture of the course was there.
class PublishedPlaces {
public:
    static constexpr int NoLecture = -1;
    static constexpr int RoomIsGone = -2;

    /// For indices that checkInstance() accepts.
    PublishedPlaces(const Instance& instance, const Weights& weights);

    /// The room that a lecture of the course was published in, in this period; or NoLecture, or RoomIsGone.
    int roomAt(int course, int period) const {
        return roomAt_[static_cast<std::size_t>(course) * periodCount_ + static_cast<std::size_t>(period)];
    }
    /// The periods in which the course was published, in order.
    std::span<const int> periodsOf(int course) const { return periods_[course]; }

    /// What a lecture of the course in this place adds.
    Displacement displacementAt(int course, int period, int room) const {
        const int published = roomAt(course, period);
        if (published == room) return {};
        return published == NoLecture ? Displacement{1, 0} : Displacement{0, 1};
    }
    /// Lectures that courses have more than were published; they are at no other place than before, wherever they are.
    int additionalLectures() const { return additionalLectures_; }

    /// With these charges and 'as few as possible' one lecture fewer that is displaced outweighs everything, then one fewer in another
    /// period, then the cost.
    const DisplacementCharges& charges() const { return charges_; }

private:
    std::size_t periodCount_;
    std::vector<std::int32_t> roomAt_;    ///< by course and period
    IndexLists periods_;                  ///< by course
    int additionalLectures_ = 0;
    DisplacementCharges charges_;
};

}    // namespace timetabling::curriculum
