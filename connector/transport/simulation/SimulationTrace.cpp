#include <ferry/connector/transport/simulation/SimulationTrace.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ferry::detail {

namespace {

const char* nameOf(SimulationTrace::Event event) noexcept {
    using Event = SimulationTrace::Event;
    switch (event) {
        case Event::Start: return "starts";
        case Event::Send: return "sends to";
        case Event::Arrive: return "is reached from";
        case Event::Drop: return "is no more reached from";
        case Event::Lose: return "has not reached";
        case Event::Take: return "takes from";
        case Event::Rest: return "rests";
        case Event::Throw: return "throws";
        case Event::Leave: return "leaves";
        case Event::Kill: return "is killed";
        case Event::Silence: return "is taken for dead";
        case Event::Pause: return "stands still";
        case Event::Leap: return "has a clock that leaps ahead";
        case Event::Learn: return "learns of the loss of";
        case Event::Abort: return "ends the job by force";
        case Event::End: return "has ended";
        case Event::Deadlock: return "finds a deadlock";
        case Event::Limit: return "reaches the limit";
    }
    return "";
}

}    // namespace

void SimulationTrace::add(std::int64_t timeUs, int rank, Event event) { add(timeUs, rank, event, -1, Channel::Data, {}); }

void SimulationTrace::add(std::int64_t timeUs, int rank, Event event, int other, Channel channel, std::span<const std::int32_t> ints) {
    Entry entry;
    entry.timeUs = timeUs;
    entry.rank = rank;
    entry.event = event;
    entry.other = other;
    entry.channel = channel;
    entry.intCount = ints.size();
    std::copy_n(ints.begin(), std::min(ints.size(), entry.firstInts.size()), entry.firstInts.begin());
    entries_.push_back(entry);
}

std::string SimulationTrace::text(std::size_t lastLines) const {
    std::string text;
    for (std::size_t i = entries_.size() - std::min(lastLines, entries_.size()); i < entries_.size(); ++i) text += lineOf(entries_[i]);
    return text;
}

std::string SimulationTrace::lineOf(const Entry& entry) {
    if (entry.other < 0) return fmt::format("{:>10} us rank {} {}\n", entry.timeUs, entry.rank, nameOf(entry.event));
    if (entry.event == Event::Learn)
        return fmt::format("{:>10} us rank {} {} rank {}\n", entry.timeUs, entry.rank, nameOf(entry.event), entry.other);
    const auto shown = std::span(entry.firstInts).first(std::min(entry.intCount, entry.firstInts.size()));
    return fmt::format("{:>10} us rank {} {} {}: {}, {} ints ({})\n", entry.timeUs, entry.rank, nameOf(entry.event), entry.other,
                       entry.channel == Channel::Control ? "control" : "data", entry.intCount, fmt::join(shown, " "));
}

}    // namespace ferry::detail
