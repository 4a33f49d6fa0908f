#include <ferry/connector/exception/Report.hpp>

#include <span>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry {

namespace {

std::string placeOf(const std::exception& exception) {
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return describe(own->origin());
    if (const Origin* origin = originOf(exception)) return describe(*origin);
    return describe(Origin::here());
}

std::string describeLink(const std::exception& exception) {
    return fmt::format("{} on {}:\n    {}", typeNameOf(exception), placeOf(exception), exception.what());
}

std::string describeLink(const std::exception_ptr& link) {
    try {
        std::rethrow_exception(link);
    } catch (const std::exception& known) {
        return describeLink(known);
    } catch (...) {
        return fmt::format("{} on {}", currentTypeName(), describe(Origin::here()));
    }
}

std::string describeCause(const std::exception_ptr& cause) {
    try {
        std::rethrow_exception(cause);
    } catch (const CausesCutOff& mark) {
        return fmt::format("\n  {}", mark.what());
    } catch (...) {
        return "\n  caused by " + describeLink(cause);
    }
}

std::string describeCauses(std::span<const std::exception_ptr> causes) {
    std::string text;
    for (const std::exception_ptr& cause : causes) text += describeCause(cause);
    return text;
}

}    // namespace

std::string report(const std::exception_ptr& exception) {
    if (!exception) return "no exception";
    const std::vector<std::exception_ptr> chain = chainOf(exception);
    return describeLink(chain.front()) + describeCauses(std::span(chain).subspan(1));
}

std::string report(const std::exception& exception) {
    return describeLink(exception) + describeCauses(chainOf(causeOf(exception), maxChainLength - 1));
}

}    // namespace ferry
