#pragma once

#include <string>

namespace timetabling {

/// A time zone in the form that calendars need, with the rules that hold from now on.
class TimeZone {
public:
    static TimeZone utc() { return TimeZone("UTC", "UTC0"); }

    /// Looks up a zone in the system's database, for example "Europe/Rome".
    /// Errors: InputError when there is no such zone, or its rules cannot be stated in a calendar.
    static TimeZone named(const std::string& name);

    /// Uses a rule in the POSIX format of the variable TZ: "CET-1CEST,M3.5.0,M10.5.0/3".
    /// Errors: those of named().
    TimeZone(std::string name, const std::string& rule);

    const std::string& name() const { return name_; }
    /// The component VTIMEZONE of RFC 5545.
    const std::string& lines() const { return lines_; }

private:
    std::string name_;
    std::string lines_;
};

}    // namespace timetabling
