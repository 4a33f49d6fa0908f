#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/exception/report/jsonText.hpp>

namespace ferry {

namespace {

using Json = nlohmann::ordered_json;

/// A time such as 2026-11-21T16:31:15.000042Z. A time outside of the calendar is printed in microseconds.
std::string timeText(std::int64_t timeUs) {
    constexpr std::int64_t perSecond = 1'000'000;
    constexpr std::int64_t endOfCalendar = 253'402'300'800 * perSecond;    // the year 10000
    if (timeUs < 0 || timeUs >= endOfCalendar) return fmt::format("{} us", timeUs);
    return fmt::format("{:%FT%T}.{:06}Z", fmt::gmtime(static_cast<std::time_t>(timeUs / perSecond)), timeUs % perSecond);
}

Json jsonOf(const detail::StackFrame& frame) {
    return {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}, {"module", frame.module}, {"offset", frame.offset}};
}

Json jsonOf(const Origin& origin) {
    Json json{
        {"rank", origin.rank}, {"host", origin.host}, {"pid", origin.pid}, {"thread", origin.thread}, {"time", timeText(origin.timeUs)},
        {"file", origin.file}, {"line", origin.line}};
    json["task"] = origin.task.empty() ? Json(nullptr) : Json{{"class", origin.task}, {"number", origin.taskNumber}};
    json["context"] = Json::array();
    for (const detail::ContextEntry& entry : origin.context) json["context"].push_back({{"key", entry.key}, {"value", entry.value}});
    json["stack"] = Json::array();
    for (const detail::StackFrame& frame : origin.stack) json["stack"].push_back(jsonOf(frame));
    return json;
}

Json storyOf(const std::exception_ptr& exception);

/// The failures of a list, each with its own report and its ranks.
Json jsonOf(const ExceptionList& list) {
    Json failures = Json::array();
    for (const Failure& failure : list) {
        Json story = storyOf(failure.exception());
        story["ranks"] = failure.ranks();
        failures.push_back(std::move(story));
    }
    return failures;
}

Json jsonOf(const detail::Thrown& exception) {
    Json json{
        {"type", exception.typeName()}, {"text", exception.text()}, {"fields", Json::array()}, {"origin", jsonOf(exception.origin())}};
    for (const detail::ContextEntry& field : Translator::global().fieldTexts(exception))
        json["fields"].push_back({{"name", field.key}, {"value", field.value}});
    if (const auto* list = dynamic_cast<const ExceptionList*>(exception.own())) json["failures"] = jsonOf(*list);
    return json;
}

Json withCauses(Json story, std::span<const std::exception_ptr> causes) {
    story["causes"] = Json::array();
    for (const std::exception_ptr& cause : causes) {
        const detail::Thrown link(cause);
        if (const auto* mark = dynamic_cast<const CausesCutOff*>(link.own()))
            story["causesCutOff"] = mark->count();
        else
            story["causes"].push_back(jsonOf(link));
    }
    return story;
}

Json storyOf(const std::exception_ptr& exception) {
    const std::vector<std::exception_ptr> chain = detail::chainOf(exception, detail::maxReportedChain);
    return withCauses(jsonOf(detail::Thrown(chain.front())), std::span(chain).subspan(1));
}

std::string textOf(const Json& story) { return detail::jsonText(story, 2); }

}    // namespace

std::string reportJson(const std::exception_ptr& exception) {
    if (!exception) return "null";
    return textOf(storyOf(exception));
}

std::string reportJson(const std::exception& exception) {
    return textOf(withCauses(jsonOf(detail::Thrown(exception)), detail::chainOf(causeOf(exception), detail::maxReportedChain - 1)));
}

}    // namespace ferry
