#pragma once

namespace ferry::detail {

/// Adds slaves to a running job. Threads: the master's.
class SlaveRecruiter {
public:
    /// Whether slaves can join at all. False: recruit() throws.
    virtual bool canRecruit() const noexcept = 0;

    /// Starts `count` ranks as the last ranks of the master's connector. Returns when all of them are connected.
    /// Errors: SlavesCannotJoin, and then no rank has joined; RegistryMismatch when the program file has changed meanwhile.
    virtual void recruit(int count) = 0;

protected:
    ~SlaveRecruiter() = default;
};

}    // namespace ferry::detail
