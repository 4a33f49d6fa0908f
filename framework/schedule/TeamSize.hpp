#pragma once

namespace ferry {

/// The number of slaves that do a task together: `master.submit(task, ferry::ranks(4))`.
struct TeamSize {
    int ranks = 1;
};

/// A team of this number of slaves. Errors: Master::submit() refuses numbers below 1, and more slaves than the job has (UsageError).
constexpr TeamSize ranks(int count) noexcept { return {count}; }

}    // namespace ferry
