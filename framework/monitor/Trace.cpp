#include <ferry/framework/monitor/Trace.hpp>

namespace ferry::detail {

void TraceBuffer::addTimer(const std::string& name, Transport::Clock::time_point begin, Transport::Clock::time_point end) {
    if (!isOn()) return;
    auto known = numbers_.find(name);
    if (known == numbers_.end()) {
        if (names_.size() == mostNames) {
            ++droppedCount_;
            return;
        }
        names_.push_back(name);
        known = numbers_.emplace(name, static_cast<std::int32_t>(names_.size() - 1)).first;
    }
    add({TraceEvent::Kind::Timer, known->second, 0, begin, end});
}

}    // namespace ferry::detail
