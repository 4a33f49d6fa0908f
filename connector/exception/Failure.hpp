#pragma once

#include <exception>
#include <string>
#include <vector>

#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// One failure of a guarded region: the exception, and the ranks that threw it.
///
/// Ownership: copies share the exception.
class Failure {
public:
    explicit Failure(const detail::FailureRecord& record, const ObjectFactory& factory = ObjectFactory::global());

    /// The rank that threw the exception. For the same exception on several ranks, the first of them. An exception that a rank was handed
    /// by a collective, a task or throwOn() counts for the rank that it comes from.
    int rank() const noexcept { return rank_; }
    /// All ranks that threw the same exception, in ascending order: the same class with the same text and data, at the same line.
    const std::vector<int>& ranks() const noexcept { return ranks_; }

    /// The origin of the failure; for several ranks, that of the first.
    const Origin& origin() const noexcept { return origin_; }
    /// The text of the exception, as the throwing rank wrote it.
    const char* what() const noexcept { return text_.c_str(); }
    /// The name of the class that was thrown, as its author wrote it.
    const std::string& typeName() const noexcept { return typeName_; }

    /// The exception itself, with its class, its data and its causes. Never null.
    const std::exception_ptr& exception() const noexcept { return exception_; }
    [[noreturn]] void rethrow() const { std::rethrow_exception(exception_); }

    /// The exception as an E; null when a handler for E would not catch it. The object lives as long as this failure.
    template <class E>
    const E* as() const {
        return detail::Thrown(exception_).as<E>();
    }

private:
    int rank_ = -1;
    std::vector<int> ranks_;
    std::exception_ptr exception_;
    std::string typeName_;
    std::string text_;
    Origin origin_;
};

}    // namespace ferry
