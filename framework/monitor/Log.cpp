#include <ferry/framework/monitor/Log.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// Writes the rank of the thread that logs.
class RankFlag final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg&, const std::tm&, spdlog::memory_buf_t& line) override {
        const int rank = detail::rankOfThisThread() >= 0 ? detail::rankOfThisThread() : detail::rankOfProcess();
        const std::string text = rank < 0 ? "rank ?" : fmt::format("rank {}", rank);
        line.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<RankFlag>(); }
};

std::unique_ptr<spdlog::logger> makeLog() {
    auto made = std::make_unique<spdlog::logger>("ferry", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<RankFlag>('*').set_pattern("%Y-%m-%d %H:%M:%S.%e [%*] [%l] %v");
    made->set_formatter(std::move(formatter));
    made->set_level(spdlog::level::warn);
    made->flush_on(spdlog::level::trace);
    return made;
}

/// Indents all lines but the first, where they are not indented. So no text from outside looks like a line of the log or of the report.
std::string indented(std::string text) {
    for (std::size_t end = text.find('\n'); end != std::string::npos && end + 1 < text.size(); end = text.find('\n', end + 1)) {
        if (text[end + 1] != ' ' && text[end + 1] != '\n') text.insert(end + 1, "  ");
    }
    return text;
}

}    // namespace

namespace detail {

spdlog::logger& log() {
    static spdlog::logger& logger = *makeLog().release();    // never destroyed: exit() on one rank leaves the others at work
    return logger;
}

void logText(spdlog::level::level_enum level, std::string_view text) { log().log(level, indented(printable(text, Lines::Several))); }

}    // namespace detail

void setLogLevel(const std::string& level) {
    constexpr std::array words = {"trace", "debug", "info", "warn", "error", "off"};
    if (std::find(words.begin(), words.end(), level) == words.end())
        throw UsageError(fmt::format("log level '{}' is none of {}", level, fmt::join(words, ", ")));
    detail::log().set_level(spdlog::level::from_str(level));
}

}    // namespace ferry
