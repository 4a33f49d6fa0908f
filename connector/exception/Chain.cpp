#include <ferry/connector/exception/Chain.hpp>

#include <unordered_set>

#include <ferry/connector/exception/CausesCutOff.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

std::exception_ptr causeOf(const std::exception& exception) { return detail::Thrown(exception).cause(); }

namespace detail {

std::vector<std::exception_ptr> chainOf(std::exception_ptr exception, std::size_t maxLength) {
    std::vector<std::exception_ptr> chain;
    std::unordered_set<const void*> met;
    const auto isNew = [&] { return met.insert(objectOf(exception)).second; };
    for (; exception && chain.size() < maxLength && isNew(); exception = Thrown(exception).cause()) chain.push_back(exception);
    if (!exception) return chain;
    if (chain.size() < maxLength) {
        chain.push_back(std::make_exception_ptr(CausesCutOff(CausesCutOff::maxCount)));    // the chain leads back into itself
        return chain;
    }
    // The mark takes the place of the last cause, so the count of omitted causes includes it.
    std::size_t cutOff = 1;
    for (; exception && cutOff < CausesCutOff::maxCount; exception = Thrown(exception).cause()) ++cutOff;
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
    std::exception_ptr current = std::current_exception();
    return current && objectOf(current) == dynamic_cast<const void*>(&exception) ? current : nullptr;
}

}    // namespace detail

}    // namespace ferry
