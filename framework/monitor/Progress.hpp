#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <ferry/framework/monitor/JobStatistics.hpp>

namespace ferry {

/// When and how the progress of a job is shown: on a terminal a line that is written again and again, elsewhere a line now and then. What
/// ends before the first is due shows nothing. Pure logic.
class Progress {
public:
    using TimePoint = JobStatistics::TimePoint;

    enum class Place { Terminal, File, Nowhere };

    /// On a terminal: the first after half a second, then ten in a second at most. In a file: one each half minute.
    Progress(Place place, TimePoint begin) : place_(place), next_(place == Place::Nowhere ? TimePoint::max() : begin + firstAfter(place)) {}

    /// What is to be written now, if anything.
    std::optional<std::string> due(const JobStatistics& statistics, TimePoint now);
    /// When something is due, if anything.
    TimePoint next() const noexcept { return next_; }
    /// What is to be written at the end of the job: the table of the slaves, if anything was shown before.
    std::string ending(const JobStatistics& statistics, TimePoint now) const;

    /// Such as "1200 of 5000 tasks (24 %), 812/s, 4 s left, 2 failed". The time left is that of the tasks known of.
    static std::string text(const JobStatistics& statistics, TimePoint now);

private:
    static constexpr std::chrono::milliseconds timeBetween(Place place) {
        return place == Place::Terminal ? std::chrono::milliseconds(100) : std::chrono::seconds(30);
    }
    static constexpr std::chrono::milliseconds firstAfter(Place place) {
        return place == Place::Terminal ? std::chrono::milliseconds(500) : timeBetween(place);
    }

    Place place_;
    TimePoint next_;
    bool wasShown_ = false;
};

}    // namespace ferry
