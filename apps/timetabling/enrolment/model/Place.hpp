#pragma once

namespace timetabling::enrolment {

/// The place of an event. An event without a period is left out. An event with a period but without a room breaks a rule.
struct Place {
    int period = -1;
    int room = -1;

    bool isPlaced() const { return period >= 0; }
    bool operator==(const Place&) const = default;
};

}    // namespace timetabling::enrolment
