#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Published.hpp>

/// Parts of sentences about a problem. Numbers count from 0, as in the file.

namespace timetabling::enrolment {

/// Describes the period: "day 0 period 1".
std::string when(int period);

/// Describes the place: "day 0 period 1 room 2", or without the room, or "left out".
std::string describe(const Place& place);

/// Describes the pin: "pinned: event 3 on day 0 period 1 in room 2". Without a pinned room, the room is omitted.
std::string describe(const Pin& pin);

}    // namespace timetabling::enrolment
