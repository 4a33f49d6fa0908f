#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/Thrown.hpp>

namespace ferry {

namespace {

using Json = nlohmann::ordered_json;

/// Such as 2026-11-21T16:31:15.000042Z; times that no calendar has come as they are.
std::string timeText(std::int64_t timeUs) {
    constexpr std::int64_t perSecond = 1'000'000;
    constexpr std::int64_t endOfCalendar = 253'402'300'800 * perSecond;    // the year 10000
    if (timeUs < 0 || timeUs >= endOfCalendar) return fmt::format("{} us", timeUs);
    return fmt::format("{:%FT%T}.{:06}Z", fmt::gmtime(static_cast<std::time_t>(timeUs / perSecond)), timeUs % perSecond);
}

Json jsonOf(const StackFrame& frame) {
    return {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}, {"module", frame.module}, {"offset", frame.offset}};
}

Json jsonOf(const Origin& origin) {
    Json json{
        {"rank", origin.rank}, {"host", origin.host}, {"pid", origin.pid}, {"thread", origin.thread}, {"time", timeText(origin.timeUs)},
        {"file", origin.file}, {"line", origin.line}};
    json["task"] = origin.task.empty() ? Json(nullptr) : Json{{"class", origin.task}, {"number", origin.taskNumber}};
    json["context"] = Json::array();
    for (const ContextEntry& entry : origin.context) json["context"].push_back({{"key", entry.key}, {"value", entry.value}});
    json["stack"] = Json::array();
    for (const StackFrame& frame : origin.stack) json["stack"].push_back(jsonOf(frame));
    return json;
}

Json jsonOf(const Thrown& exception) {
    return {{"type", exception.typeName()}, {"text", exception.text()}, {"origin", jsonOf(exception.origin())}};
}

std::string jsonText(Json story, std::span<const std::exception_ptr> causes) {
    story["causes"] = Json::array();
    for (const std::exception_ptr& cause : causes) {
        const Thrown link(cause);
        if (const auto* mark = dynamic_cast<const CausesCutOff*>(link.own()))
            story["causesCutOff"] = mark->count();
        else
            story["causes"].push_back(jsonOf(link));
    }
    return story.dump(2, ' ', false, Json::error_handler_t::replace);
}

}    // namespace

std::string reportJson(const std::exception_ptr& exception) {
    if (!exception) return "null";
    const std::vector<std::exception_ptr> chain = chainOf(exception, maxReportedChain);
    return jsonText(jsonOf(Thrown(chain.front())), std::span(chain).subspan(1));
}

std::string reportJson(const std::exception& exception) {
    return jsonText(jsonOf(Thrown(exception)), chainOf(causeOf(exception), maxReportedChain - 1));
}

}    // namespace ferry
