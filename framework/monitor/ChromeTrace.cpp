#include <ferry/framework/monitor/ChromeTrace.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/report/jsonText.hpp>

namespace ferry::detail {

namespace {

using TimePoint = Transport::Clock::time_point;

/// Writes one trace.
class TraceWriter {
public:
    TraceWriter(TimePoint begin, const ObjectFactory& factory) : begin_(begin), factory_(factory) {}

    std::string write(std::span<const RankTrace> ranks) {
        for (const RankTrace& rank : ranks) noteMessages(rank);
        for (const RankTrace& rank : ranks) writeRank(rank);
        nlohmann::ordered_json about = nlohmann::ordered_json::array();
        for (const RankTrace& rank : ranks) {
            about.push_back({{"rank", rank.rank},
                             {"events", rank.events.size()},
                             {"dropped", rank.droppedCount},
                             {"clockErrorMicroseconds", microseconds(rank.clockError)}});
        }
        return fmt::format("{{\"displayTimeUnit\": \"ms\",\n\"otherData\": {{\"ranks\": {}}},\n\"traceEvents\": [\n{}\n]}}\n",
                           jsonText(about), fmt::to_string(out_));
    }

private:
    static double microseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::micro>(time).count(); }
    double at(TimePoint time) const { return microseconds(time - begin_); }

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        if (out_.size() != 0) out_.append(std::string_view(",\n"));
        fmt::vformat_to(std::back_inserter(out_), format, fmt::make_format_args(values...));
    }

    /// Notes the times at which the master sent tasks and took in replies, and the time of the first event.
    void noteMessages(const RankTrace& rank) {
        for (const TraceEvent& event : rank.events) {
            begin_ = std::min(begin_, event.begin - rank.clockOffset);    // a slave may have begun before the master
            if (event.kind == TraceEvent::Kind::Send) sends_[event.number].push_back(event.begin - rank.clockOffset);
            if (event.kind == TraceEvent::Kind::TakeIn) takeIns_[event.number].push_back(event.begin - rank.clockOffset);
        }
    }

    void writeRank(const RankTrace& rank) {
        add(R"({{"ph": "M", "pid": 0, "tid": {}, "name": "thread_name", "args": {{"name": "rank {}{}"}}}})", rank.rank, rank.rank,
            rank.rank == 0 ? ", master" : "");
        const TraceEvent* before = nullptr;
        for (const TraceEvent& event : rank.events) {
            const TimePoint begin = event.begin - rank.clockOffset, end = event.end - rank.clockOffset;
            switch (event.kind) {
                case TraceEvent::Kind::Task: writeTask(rank, event, begin, end); break;
                case TraceEvent::Kind::Wait: writeSlice(rank.rank, "\"wait\"", "wait", begin, end, 0); break;
                case TraceEvent::Kind::Timer: writeSlice(rank.rank, quotedTimer(rank, event.number), "timer", begin, end, 0); break;
                case TraceEvent::Kind::Send:
                case TraceEvent::Kind::TakeIn:    // the events of one letter share a slice
                    if (before != nullptr && before->kind == event.kind && before->begin == event.begin) break;
                    writeSlice(rank.rank, event.kind == TraceEvent::Kind::Send ? "\"send\"" : "\"take in\"", "message", begin, end,
                               event.number);
                    break;
            }
            before = &event;
        }
    }

    void writeSlice(int rank, std::string_view quotedName, std::string_view category, TimePoint begin, TimePoint end, std::int32_t number) {
        add(R"({{"ph": "X", "pid": 0, "tid": {}, "name": {}, "cat": "{}", "ts": {:.3f}, "dur": {:.3f}, "args": {{"number": {}}}}})", rank,
            quotedName, category, at(begin), microseconds(end - begin), number);
    }

    void writeTask(const RankTrace& rank, const TraceEvent& event, TimePoint begin, TimePoint end) {
        writeSlice(rank.rank, quotedName(event.taskClass), "task", begin, end, event.number);
        const auto sent = timesOf(sends_, event.number);
        const auto sentAt = std::upper_bound(sent.begin(), sent.end(), begin + rank.clockError);
        if (sentAt != sent.begin()) writeArrow("task", 0, *std::prev(sentAt), rank.rank, begin);
        const auto taken = timesOf(takeIns_, event.number);
        const auto takenAt = std::lower_bound(taken.begin(), taken.end(), end - rank.clockError);
        if (takenAt != taken.end()) writeArrow("reply", rank.rank, end, 0, *takenAt);
    }

    void writeArrow(const char* name, int fromRank, TimePoint from, int toRank, TimePoint to) {
        ++arrowCount_;
        add(R"({{"ph": "s", "pid": 0, "tid": {}, "name": "{}", "cat": "message", "id": {}, "ts": {:.3f}}})", fromRank, name, arrowCount_,
            at(from));
        add(R"({{"ph": "f", "bp": "e", "pid": 0, "tid": {}, "name": "{}", "cat": "message", "id": {}, "ts": {:.3f}}})", toRank, name,
            arrowCount_, at(to));
    }

    /// The name of a timer in quotes. A damaged letter may name none.
    static std::string quotedTimer(const RankTrace& rank, std::int32_t number) {
        const bool isKnown = number >= 0 && static_cast<std::size_t>(number) < rank.names.size();
        return isKnown ? quoted(rank.names[static_cast<std::size_t>(number)]) : "\"timer\"";
    }
    static std::string quoted(const std::string& name) { return jsonText(nlohmann::json(name)); }

    /// The name of a class in quotes, as a JSON string.
    const std::string& quotedName(ClassId id) {
        std::string& name = names_[id];
        if (name.empty()) name = quoted(factory_.nameOf(id));
        return name;
    }

    using Times = std::unordered_map<std::int32_t, std::vector<TimePoint>>;    ///< by number of the task, ascending
    static std::span<const TimePoint> timesOf(const Times& times, std::int32_t number) {
        const auto found = times.find(number);
        return found != times.end() ? std::span<const TimePoint>(found->second) : std::span<const TimePoint>();
    }

    TimePoint begin_;
    const ObjectFactory& factory_;
    fmt::memory_buffer out_;
    Times sends_;
    Times takeIns_;
    std::unordered_map<ClassId, std::string> names_;
    std::uint64_t arrowCount_ = 0;
};

}    // namespace

std::string chromeTrace(std::span<const RankTrace> ranks, TimePoint begin, const ObjectFactory& factory) {
    return TraceWriter(begin, factory).write(ranks);
}

}    // namespace ferry::detail
