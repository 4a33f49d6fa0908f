#include <ferry/apps/timetabling/model/withoutZeroFraction.hpp>

#include <cstddef>

namespace timetabling {

std::string_view withoutZeroFraction(std::string_view text) {
    const std::size_t point = text.find_first_of(".,");
    if (point == std::string_view::npos || point == 0) return text;
    const std::string_view fraction = text.substr(point + 1);
    const bool isZero = !fraction.empty() && fraction.find_first_not_of('0') == std::string_view::npos;
    return isZero && fraction.size() != 3 ? text.substr(0, point) : text;
}

}    // namespace timetabling
