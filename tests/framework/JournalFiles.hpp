#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <ferry/framework/journal/Journal.hpp>

namespace ferry::test {

inline detail::JournalSettings journalSettings(const std::filesystem::path& path) {
    detail::JournalSettings settings;
    settings.path = path;
    settings.program = "prices";
    settings.lockPatience = std::chrono::milliseconds(0);
    return settings;
}

/// Returns the ints of a task or reply with this number.
inline std::vector<std::int32_t> intsOf(int number, std::size_t count = 3) {
    std::vector<std::int32_t> ints(count);
    std::iota(ints.begin(), ints.end(), number);
    return ints;
}

constexpr detail::ClassId taskClass = 5;
constexpr detail::ClassId replyClass = 6;

/// Writes the replies of the first taskCount tasks. The reply of task n has the number 100 * n and n ints.
inline void writeJournal(const std::filesystem::path& path, int taskCount) {
    detail::Journal journal(journalSettings(path));
    for (int task = 0; task < taskCount; ++task)
        journal.add(journal.keyOf(taskClass, intsOf(task)), replyClass, intsOf(100 * task, static_cast<std::size_t>(task)));
    journal.write({});
}

}    // namespace ferry::test
