#include <ferry/connector/message/Background.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// While this object lives, letters that this mailbox and those around it post are part of a step.
class Background::Step {
public:
    explicit Step(Mailbox& mailbox) noexcept : mailbox_(mailbox) { add(1); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { add(-1); }

private:
    void add(int count) noexcept {
        for (Mailbox* mailbox = &mailbox_; mailbox != nullptr; mailbox = mailbox->nest().around()) mailbox->background().depth_ += count;
    }

    Mailbox& mailbox_;
};

void Background::begin(std::shared_ptr<BackgroundWork> work) {
    const OneThread::Call call(mailbox_.thread());
    work_.push_back({std::move(work), mailbox_.nest().regionPath()});
    moveOn();
}

/// Nothing here may throw, since work that is done would stay in the list, and its regions would stay those of the rank's own letters.
bool Background::moveEach() noexcept {
    const Step step(mailbox_);
    bool hasMoved = false;
    for (std::size_t i = 0; i < work_.size(); ++i) {
        const std::shared_ptr<BackgroundWork> work = work_[i].work;    // the step may begin other work
        setRegions(work_[i].regions);
        const BackgroundWork::Progress progress = work->moveOn();
        hasMoved = hasMoved || progress != BackgroundWork::Progress::Waiting;
        if (progress == BackgroundWork::Progress::Done) work_[i].work.reset();
    }
    std::erase_if(work_, [](const UnderWay& underWay) { return underWay.work == nullptr; });
    setRegions({});
    return hasMoved;
}

/// Letters sent from now on belong to these regions, of this mailbox and those around; none: to the regions that the rank is in.
void Background::setRegions(std::span<const std::int32_t> regions) noexcept {
    region_ = regions.empty() ? std::nullopt : std::optional(regions.front());
    Mailbox* const around = mailbox_.nest().around();
    if (around != nullptr) around->background().setRegions(regions.empty() ? regions : regions.subspan(1));
}

bool Background::isWithinStep() const noexcept {
    if (isInStep()) return true;
    Mailbox* const around = mailbox_.nest().around();
    return around != nullptr && around->background().isWithinStep();
}

bool Background::hasUnsent() const noexcept {
    const auto isUnsent = [](const UnderWay& underWay) { return underWay.work != nullptr && underWay.work->hasUnsent(); };
    const std::vector<Mailbox*>& inside = mailbox_.nest().inside();
    return std::any_of(work_.begin(), work_.end(), isUnsent) ||
           std::any_of(inside.begin(), inside.end(), [](Mailbox* inner) { return inner->background().hasUnsent(); });
}

}    // namespace ferry::detail
