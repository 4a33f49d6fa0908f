#include <ferry/apps/timetabling/enrolment/model/PublishedPlaces.hpp>

#include <cstdint>

namespace timetabling::enrolment {

namespace {

/// An upper bound of the cost of all timetables. The worst day of a student is a day with an event in each period.
std::int64_t boundOfCost(const Instance& instance) {
    constexpr int MostPerDay = PeriodsPerDay - 2 + 1;
    return 1 + static_cast<std::int64_t>(instance.eventsOfStudent.size()) * DayCount * MostPerDay;
}

}    // namespace

PublishedPlaces::PublishedPlaces(const Instance& instance)
    : places_(instance.published.places),
      charges_(
          DisplacementCharges::keeping(instance.published.keepWeight, boundOfCost(instance), static_cast<std::int64_t>(places_.size()))) {}

}    // namespace timetabling::enrolment
