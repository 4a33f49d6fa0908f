#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <ferry/framework/monitor/JobStatistics.hpp>

namespace ferry::detail {

/// Decides when and how the progress of a job is shown. A terminal gets one line that is rewritten; a file gets a further line each time. A
/// job that ends before its first line is due shows nothing. Pure logic.
class Progress {
public:
    using TimePoint = JobStatistics::TimePoint;

    enum class Place { Terminal, File, Nowhere };

    /// On a terminal: the first line after half a second, then at most ten lines per second. In a file: one line each half minute.
    Progress(Place place, TimePoint begin) : place_(place), next_(place == Place::Nowhere ? TimePoint::max() : begin + firstAfter(place)) {}

    /// The text that is to be written now. Empty: none is due.
    std::optional<std::string> due(const JobStatistics& statistics, TimePoint now);
    /// The time at which the next text is due.
    TimePoint next() const noexcept { return next_; }
    /// The text at the end of the job: the table of the slaves if a line was shown before, otherwise empty.
    std::string ending(const JobStatistics& statistics, TimePoint now) const;

    /// A line such as "1200 of 5000 tasks (24 %), 812/s, 4 s left, 2 failed". The time left counts the known tasks only.
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

}    // namespace ferry::detail
