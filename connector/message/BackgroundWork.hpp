#pragma once

namespace ferry {

/// Work that goes on while its rank does other things: a step whenever the rank looks for letters.
class BackgroundWork {
public:
    enum class Progress {
        Waiting,    ///< for another rank
        Moved,
        Done,
    };

    BackgroundWork() = default;
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;
    virtual ~BackgroundWork() = default;

    /// Does a little, and does not wait.
    virtual Progress moveOn() noexcept = 0;

    /// Whether it has more to send that needs no letter of another rank: flush() waits for it, and nobody is in a deadlock before.
    virtual bool hasUnsent() const noexcept { return true; }
};

}    // namespace ferry
