#include <ferry/framework/watch/SilenceJudge.hpp>

namespace ferry::detail {

bool SilenceJudge::isLost(ProcessState state) const noexcept {
    if (limit_ == Duration::zero()) return false;
    switch (state) {
        case ProcessState::Gone: return silence_ >= limit_ / 4;
        case ProcessState::Unknown:
        case ProcessState::Stopped: return silence_ >= limit_;
        case ProcessState::Running: return silence_ >= patienceWithRunning * limit_;
        case ProcessState::Traced: return false;
    }
    return false;
}

}    // namespace ferry::detail
