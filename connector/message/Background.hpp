#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ferry/connector/message/BackgroundWork.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>

namespace ferry::detail {

class Mailbox;

/// The work that goes on in a mailbox while its rank does other things. Each work belongs to the guarded regions in which it was begun,
/// however long it takes: so do the letters that it sends.
///
/// Ownership: is a part of its mailbox, and borrows it. Owns its part of each work.
class Background {
public:
    explicit Background(Mailbox& mailbox) : mailbox_(mailbox) {}
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// Makes the first step of the work now, and further steps whenever this rank looks for letters, until the work is done.
    void begin(std::shared_ptr<BackgroundWork> work);

    /// Makes one step of each work, unless this rank is within such a step. True when something has moved.
    bool moveOn() { return !work_.empty() && !isInStep() && moveEach(); }

    /// Whether a step of this mailbox, or of one inside it, is being made.
    bool isInStep() const noexcept { return depth_ > 0; }
    /// Whether functions of the user run within a step, of this mailbox or of one around it. Such functions are operators and functions
    /// that write and read values.
    bool isWithinStep() const noexcept;

    /// Whether work of this mailbox, or of one inside it, has more to send.
    bool hasUnsent() const noexcept;

    /// The life of the mailbox, for handles of its work that may outlive it.
    const Lifetime& lifetime() const noexcept { return lifetime_; }

    /// The region of a letter that is sent now: of the work that makes its step, otherwise the innermost one.
    std::int32_t regionOr(std::int32_t innermost) const noexcept { return region_.value_or(innermost); }

private:
    struct UnderWay {
        std::shared_ptr<BackgroundWork> work;
        std::vector<std::int32_t> regions;    ///< regions of this mailbox and of those around
    };
    class Step;

    bool moveEach() noexcept;
    void setRegions(std::span<const std::int32_t> regions) noexcept;

    Mailbox& mailbox_;
    std::vector<UnderWay> work_;
    int depth_ = 0;                         ///< depth of nested steps
    std::optional<std::int32_t> region_;    ///< the region of the work that makes its step
    Lifetime lifetime_;                     ///< the last member: it ends before the work
};

}    // namespace ferry::detail
