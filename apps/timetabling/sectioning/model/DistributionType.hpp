#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace timetabling::sectioning {

/// The kinds of constraints between classes. Those from SameStart to MinGap compare two classes; the others look at all classes together.
enum class DistributionType : std::int32_t {
    SameStart,
    SameTime,
    DifferentTime,
    SameDays,
    DifferentDays,
    SameWeeks,
    DifferentWeeks,
    Overlap,
    NotOverlap,
    SameRoom,
    DifferentRoom,
    SameAttendees,
    Precedence,
    WorkDay,
    MinGap,
    MaxDays,
    MaxDayLoad,
    MaxBreaks,
    MaxBlock,
};

inline constexpr int DistributionTypeCount = 19;

/// Whether pairs of classes violate the constraint, each for itself.
constexpr bool comparesPairs(DistributionType type) { return type < DistributionType::MaxDays; }

/// The number of numbers in the brackets behind the name: 0 to 2.
int parameterCount(DistributionType type);

/// The name without brackets, such as "MaxDays".
const char* nameOf(DistributionType type);
std::optional<DistributionType> distributionTypeOf(std::string_view name);

}    // namespace timetabling::sectioning
