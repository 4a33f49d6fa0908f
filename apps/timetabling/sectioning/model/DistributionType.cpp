#include <ferry/apps/timetabling/sectioning/model/DistributionType.hpp>

#include <cstddef>

namespace timetabling::sectioning {

namespace {

struct TypeRow {
    const char* name;
    int parameterCount;
};

constexpr std::array<TypeRow, DistributionTypeCount> rows{{
    {"SameStart", 0},     {"SameTime", 0},       {"DifferentTime", 0}, {"SameDays", 0},   {"DifferentDays", 0},
    {"SameWeeks", 0},     {"DifferentWeeks", 0}, {"Overlap", 0},       {"NotOverlap", 0}, {"SameRoom", 0},
    {"DifferentRoom", 0}, {"SameAttendees", 0},  {"Precedence", 0},    {"WorkDay", 1},    {"MinGap", 1},
    {"MaxDays", 1},       {"MaxDayLoad", 1},     {"MaxBreaks", 2},     {"MaxBlock", 2},
}};

const TypeRow& rowOf(DistributionType type) { return rows[static_cast<std::size_t>(type)]; }

}    // namespace

int parameterCount(DistributionType type) { return rowOf(type).parameterCount; }

const char* nameOf(DistributionType type) { return rowOf(type).name; }

std::optional<DistributionType> distributionTypeOf(std::string_view name) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (name == rows[i].name) return static_cast<DistributionType>(i);
    }
    return std::nullopt;
}

}    // namespace timetabling::sectioning
