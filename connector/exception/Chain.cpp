#include <ferry/connector/exception/Chain.hpp>

#include <cxxabi.h>
#include <typeinfo>
#include <utility>

#include <boost/core/demangle.hpp>

#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

std::exception_ptr causeOf(const std::exception& exception) noexcept {
    if (const auto* nesting = dynamic_cast<const std::nested_exception*>(&exception)) {
        if (nesting->nested_ptr()) return nesting->nested_ptr();
    }
    if (const auto* own = dynamic_cast<const Exception*>(&exception)) return own->cause();
    return nullptr;
}

std::vector<std::exception_ptr> chainOf(std::exception_ptr exception) {
    std::vector<std::exception_ptr> chain;
    while (exception && chain.size() < maxChainLength) {
        chain.push_back(exception);
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& known) {
            exception = causeOf(known);
        } catch (const std::nested_exception& unknown) {
            exception = unknown.nested_ptr();
        } catch (...) {
            exception = nullptr;
        }
    }
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
