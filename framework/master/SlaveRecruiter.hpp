#pragma once

namespace ferry {

/// Brings slaves into a job that runs.
///
/// Threads: the master's.
class SlaveRecruiter {
public:
    /// Whether slaves can be had at all: else recruit() throws.
    virtual bool canRecruit() const noexcept = 0;

    /// Starts so many ranks, as the last ones of the master's connector, and returns when all of them are connected.
    /// Errors: SlavesCannotJoin, and then there are none; RegistryMismatch when the program is another one by now.
    virtual void recruit(int count) = 0;

protected:
    ~SlaveRecruiter() = default;
};

}    // namespace ferry
