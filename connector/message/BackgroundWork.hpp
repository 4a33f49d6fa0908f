#pragma once

namespace ferry::detail {

/// Work that goes on while its rank does other things. It makes one step whenever the rank looks for letters.
class BackgroundWork {
public:
    enum class Progress {
        Waiting,    ///< the work waits for another rank
        Moved,
        Done,
    };

    BackgroundWork() = default;
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;
    virtual ~BackgroundWork() = default;

    /// Makes one short step. Never waits.
    virtual Progress moveOn() noexcept = 0;

    /// Whether the work has more to send without waiting for a letter of another rank. flush() waits for such work, and no deadlock is
    /// reported before it is done.
    virtual bool hasUnsent() const noexcept { return true; }
};

}    // namespace ferry::detail
