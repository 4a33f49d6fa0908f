#include <ferry/connector/exception/report/Report.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/exception/report/ranksInWords.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>

namespace ferry {

namespace {

using detail::Lines;
using detail::printable;

/// Whether a frame is main() or the first function of a thread. Frames behind it are the same in every program.
bool isBeginning(const detail::StackFrame& frame) { return frame.function == "main" || frame.function == "start_thread"; }

/// Whether a frame lies between the program and the throw, between two functions of the program, or before its main().
bool isPlumbing(const detail::StackFrame& frame) {
    const std::string_view function = frame.function;
    return detail::isOfSystem(frame) || function.starts_with("ferry::detail::");
}

/// A stack in short. Plumbing and the ends of very long names are left out. The JSON report has all of it.
std::string describeStack(const std::vector<detail::StackFrame>& stack) {
    constexpr std::size_t maxShown = 16;
    std::string text;
    std::size_t shown = 0;
    for (const detail::StackFrame& frame : stack) {
        if (isPlumbing(frame)) continue;
        if (++shown > maxShown) return text + "\n      ...";
        text += "\n      at " + printable(detail::describe(frame));
        if (isBeginning(frame)) return text;
    }
    return text;
}

/// Indents the lines after the first, so that none of them looks like a line of the report.
std::string withIndent(const std::string& text, std::string_view indent) {
    std::string result;
    for (const char character : text) {
        result += character;
        if (character == '\n') result += indent;
    }
    return result;
}

/// The text of an exception, in lines behind the first four columns.
std::string textBlock(const std::string& text) { return withIndent(printable(text, Lines::Several), "    "); }

std::string describeLink(const detail::Thrown& exception) {
    const Origin origin = exception.origin();
    std::string text =
        fmt::format("{} on {}:\n    {}", printable(exception.typeName()), printable(detail::describe(origin)), textBlock(exception.text()));
    for (const detail::ContextEntry& field : Translator::global().fieldTexts(exception))
        text += fmt::format("\n    field {} = {}", printable(field.key), printable(field.value));
    if (!origin.task.empty()) text += fmt::format("\n    in task {} {}", printable(origin.task), origin.taskNumber);
    for (const detail::ContextEntry& entry : origin.context)
        text += fmt::format("\n    with {} = {}", printable(entry.key), textBlock(entry.value));
    return text + describeStack(origin.stack);
}

/// Failures of one class, thrown at one place.
struct FailureGroup {
    std::exception_ptr first;
    std::vector<int> ranks;
    std::size_t count = 0;
    std::unordered_set<std::string> texts;
};

/// Groups the failures. The groups stand in the order of their first failures.
std::vector<FailureGroup> groupsOf(const std::vector<detail::RanksFailure>& failures) {
    std::vector<FailureGroup> groups;
    std::map<std::tuple<std::string, std::string, int, std::string>, std::size_t> places;
    for (const detail::RanksFailure& failure : failures) {
        const detail::Thrown thrown(failure.exception);
        const Origin origin = thrown.origin();
        const std::string function = origin.stack.empty() ? "" : origin.stack.front().function;
        const auto [place, isNew] = places.try_emplace({thrown.typeName(), origin.file, origin.line, function}, groups.size());
        if (isNew) groups.push_back({failure.exception, {}, 0, {}});
        FailureGroup& group = groups[place->second];
        group.ranks.insert(group.ranks.end(), failure.ranks.begin(), failure.ranks.end());
        ++group.count;
        group.texts.insert(thrown.text());
    }
    for (FailureGroup& group : groups) {
        std::sort(group.ranks.begin(), group.ranks.end());
        group.ranks.erase(std::unique(group.ranks.begin(), group.ranks.end()), group.ranks.end());
    }
    return groups;
}

std::string describeRanks(const std::vector<int>& ranks) {
    constexpr std::size_t mostNamed = 16;
    return ranks.size() <= mostNamed ? fmt::format("ranks {}", fmt::join(ranks, ", ")) : detail::ranksWithCount(ranks);
}

/// Describes each failure of a list with its own report, in place of the stack of the list. Many failures are grouped.
std::string describeFailures(const ExceptionList& list) {
    std::string text = fmt::format("{}: {}", list.className(), textBlock(list.what()));
    if (list.size() > detail::mostFailuresApart) {
        std::vector<detail::RanksFailure> failures;
        for (const Failure& failure : list) failures.push_back({failure.exception(), failure.ranks()});
        return text + detail::reportOfMany(failures);
    }
    for (const Failure& failure : list) {
        text += failure.ranks().size() > 1 ? fmt::format("\n  failure on {}: ", describeRanks(failure.ranks())) : "\n  failure: ";
        text += withIndent(report(failure.exception()), "  ");
    }
    return text;
}

std::string describeAny(const detail::Thrown& exception) {
    const auto* list = dynamic_cast<const ExceptionList*>(exception.own());
    return list != nullptr && list->size() > 0 ? describeFailures(*list) : describeLink(exception);
}

std::string describeCause(const detail::Thrown& cause) {
    if (dynamic_cast<const CausesCutOff*>(cause.own()) != nullptr) return "\n  " + printable(cause.text());
    return "\n  caused by " + describeAny(cause);
}

std::string describeCauses(std::span<const std::exception_ptr> causes) {
    std::string text;
    for (const std::exception_ptr& cause : causes) text += describeCause(detail::Thrown(cause));
    return text;
}

}    // namespace

std::string detail::reportOfMany(const std::vector<RanksFailure>& failures) {
    constexpr std::size_t mostWhole = 2;
    constexpr std::size_t mostShown = 8;
    const std::vector<FailureGroup> groups = groupsOf(failures);
    std::string text;
    std::size_t leftOut = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const FailureGroup& group = groups[i];
        if (i >= mostShown) {
            leftOut += group.count;
            continue;
        }
        text += fmt::format("\n  failure on {}: ", ranksWithCount(group.ranks));
        const Thrown first(group.first);
        text += i < mostWhole ? withIndent(report(group.first), "  ")
                              : fmt::format("{} on {}:\n      {}", printable(first.typeName()), printable(describe(first.origin())),
                                            withIndent(textBlock(first.text()), "  "));
        if (group.texts.size() > 1) text += fmt::format("\n    ({} failures with {} different texts)", group.count, group.texts.size());
    }
    if (leftOut > 0)
        text +=
            fmt::format("\n  and {} failures of {} further kinds: the report as JSON has all of them", leftOut, groups.size() - mostShown);
    return text;
}

std::string report(const std::exception_ptr& exception) {
    if (!exception) return "no exception";
    const std::vector<std::exception_ptr> chain = detail::chainOf(exception, detail::maxReportedChain);
    return describeAny(detail::Thrown(chain.front())) + describeCauses(std::span(chain).subspan(1));
}

std::string report(const std::exception& exception) {
    return describeAny(detail::Thrown(exception)) + describeCauses(detail::chainOf(causeOf(exception), detail::maxReportedChain - 1));
}

}    // namespace ferry
