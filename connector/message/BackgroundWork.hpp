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
};

}    // namespace ferry
