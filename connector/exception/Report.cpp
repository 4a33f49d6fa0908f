#include <ferry/connector/exception/Report.hpp>

#include <fmt/format.h>

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

}    // namespace

std::string report(const std::exception_ptr& exception) {
    std::string text;
    for (const std::exception_ptr& link : chainOf(exception)) {
        if (!text.empty()) text += "\n  caused by ";
        try {
            std::rethrow_exception(link);
        } catch (const std::exception& known) {
            text += describeLink(known);
        } catch (...) {
            text += fmt::format("{} on {}", currentTypeName(), describe(Origin::here()));
        }
    }
    return text.empty() ? "no exception" : text;
}

std::string report(const std::exception& exception) {
    std::string text = describeLink(exception);
    if (const std::exception_ptr cause = causeOf(exception)) text += "\n  caused by " + report(cause);
    return text;
}

}    // namespace ferry
