#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

/// What counts in one day of a curriculum, from the periods in which it has lectures: bit p of the day stands for period p of the day.

namespace timetabling::curriculum {

/// Periods with lectures but none just before or after.
constexpr int isolatedPeriods(std::uint64_t day) { return std::popcount(day & ~(day << 1) & ~(day >> 1)); }

/// Empty periods between the first lecture and the last one.
constexpr int windowPeriods(std::uint64_t day) {
    if (day == 0) return 0;
    const int length = std::bit_width(day) - std::countr_zero(day);
    return length - std::popcount(day);
}

/// How far a number of lectures is from the range that is wished for; a free day is always fine.
constexpr int loadExcess(int lectures, int least, int most) {
    if (lectures == 0) return 0;
    return lectures < least ? least - lectures : lectures > most ? lectures - most : 0;
}

/// Lectures of a course that wants double lectures, and has several on this day, that are next to no other one in the same room. The rooms
/// are those of the lectures by period of the day, -1 for no lecture.
constexpr int loneLectures(std::span<const std::int32_t> rooms) {
    int lectures = 0;
    int lone = 0;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        if (rooms[i] < 0) continue;
        ++lectures;
        const bool isLikeBefore = i > 0 && rooms[i - 1] == rooms[i];
        const bool isLikeAfter = i + 1 < rooms.size() && rooms[i + 1] == rooms[i];
        lone += isLikeBefore || isLikeAfter ? 0 : 1;
    }
    return lectures < 2 ? 0 : lone;
}

}    // namespace timetabling::curriculum
