#pragma once

namespace timetabling::enrolment {

/// Where an event is. An event without a period is left out; one with a period but no room breaks a rule.
struct Place {
    int period = -1;
    int room = -1;

    bool isPlaced() const { return period >= 0; }
    bool operator==(const Place&) const = default;
};

}    // namespace timetabling::enrolment
