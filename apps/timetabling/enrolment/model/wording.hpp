#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Published.hpp>

/// Parts of sentences about a problem; numbers count from 0, as in the file.

namespace timetabling::enrolment {

/// "day 0 period 1".
std::string when(int period);

/// "day 0 period 1 room 2", the room if there is one; "left out".
std::string describe(const Place& place);

/// "pinned: event 3 on day 0 period 1 in room 2", the room if it is pinned too.
std::string describe(const Pin& pin);

}    // namespace timetabling::enrolment
