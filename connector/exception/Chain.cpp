#include <ferry/connector/exception/Chain.hpp>

#include <cxxabi.h>
#include <typeinfo>
#include <utility>

#include <boost/core/demangle.hpp>

#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

std::exception_ptr causeOf(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& known) {
        return ferry::causeOf(known);
    } catch (const std::nested_exception& unknown) {
        return unknown.nested_ptr();
    } catch (...) {
        return nullptr;
    }
}

}    // namespace

std::exception_ptr causeOf(const std::exception& exception) noexcept {
    if (const auto* nesting = dynamic_cast<const std::nested_exception*>(&exception)) {
        if (nesting->nested_ptr()) return nesting->nested_ptr();
    }
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->cause();
    return nullptr;
}

std::vector<std::exception_ptr> chainOf(std::exception_ptr exception, std::size_t maxLength) {
    std::vector<std::exception_ptr> chain;
    for (; exception && chain.size() < maxLength; exception = causeOf(exception)) chain.push_back(exception);
    if (!exception) return chain;
    // What was left out is counted with the last one, whose place the mark takes.
    std::size_t cutOff = 1;
    for (; exception && cutOff < CausesCutOff::maxCount; exception = causeOf(exception)) ++cutOff;
    chain.back() = std::make_exception_ptr(CausesCutOff(cutOff));
    return chain;
}

std::exception_ptr raised(const Exception& exception) {
    std::exception_ptr thrown;
    try {
        exception.raise();
    } catch (...) {
        thrown = std::current_exception();
    }
    return thrown;
}

std::exception_ptr handled(const std::exception& exception) {
    const std::exception_ptr current = std::current_exception();
    if (current) {
        try {
            std::rethrow_exception(current);
        } catch (const std::exception& same) {
            if (&same == &exception) return current;
        } catch (...) {    // something else is being handled
        }
    }
    throw UsageError("only its handler can pass on an exception that is known by a base class: its own class would be lost");
}

std::string currentTypeName() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return type != nullptr ? boost::core::demangle(type->name()) : "unknown type";
}

}    // namespace ferry
