#include <ferry/apps/timetabling/model/CheckCount.hpp>

#include <stdexcept>

#include <fmt/format.h>

namespace timetabling {

void checkCount(const char* what, std::int64_t found, std::int64_t least, std::int64_t most) {
    if (found < least || found > most) {
        throw std::invalid_argument(fmt::format("{}: expected {} to {}, found {}", what, least, most, found));
    }
}

}    // namespace timetabling
