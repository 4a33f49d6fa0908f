#pragma once

#include <exception>
#include <string>
#include <unordered_set>

#include <ferry/connector/exception/Thrown.hpp>

namespace ferry::detail {

/// The failures of a job that its master has noted. The cost of a question does not grow with their number.
///
/// All ranks leave a guarded region with the same list of exceptions. A rank that threw one of them may have been stopped before it got the
/// list. So the failures in a list count as known. Every rank that needs a lost rank throws the loss anew, so losses are known by their
/// texts. Threads: the master's.
class KnownFailures {
public:
    bool contains(const std::exception_ptr& failure) const;
    /// Notes a failure. A std::bad_alloc may leave a part of a list noted.
    void add(const std::exception_ptr& failure);

private:
    static std::string throwOf(const Thrown& failure);

    std::unordered_set<std::string> throws_;
    std::unordered_set<std::string> losses_;    ///< texts
};

}    // namespace ferry::detail
