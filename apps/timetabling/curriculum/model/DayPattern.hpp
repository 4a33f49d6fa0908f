#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

/// Costs of one day of a curriculum. A day is a set of bits: bit p means that period p of the day has a lecture.

namespace timetabling::curriculum {

/// Number of periods that have lectures but none just before or after.
constexpr int isolatedPeriods(std::uint64_t day) { return std::popcount(day & ~(day << 1) & ~(day >> 1)); }

/// Number of empty periods between the first lecture and the last one.
constexpr int windowPeriods(std::uint64_t day) {
    if (day == 0) return 0;
    const int length = std::bit_width(day) - std::countr_zero(day);
    return length - std::popcount(day);
}

/// Distance of a number of lectures from the range [least, most]. A free day is always fine, and gives 0.
constexpr int loadExcess(int lectures, int least, int most) {
    if (lectures == 0) return 0;
    return lectures < least ? least - lectures : lectures > most ? lectures - most : 0;
}

/// Number of lectures on this day without a neighbour in the same room, for a course that wants double lectures.
/// A neighbour is a lecture of the course in the period before or after. Counts only if the course has several lectures on the day.
/// rooms: the room of the lecture in each period of the day, -1 for no lecture.
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
