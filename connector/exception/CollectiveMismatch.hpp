#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

namespace detail {

/// The collective that one rank calls, in words.
struct CollectiveCall {
    int rank = -1;
    std::string call;    ///< such as "broadcast from rank 0", or "reduce of 5 elements"
};

}    // namespace detail

/// Ranks do not agree on a collective: one rank broadcasts where another one reduces, or their vectors differ in length.
class CollectiveMismatch : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::CollectiveMismatch)
    FERRY_FIELDS_DECLARED(here_, there_)

    CollectiveMismatch() = default;
    CollectiveMismatch(detail::CollectiveCall here, detail::CollectiveCall there);

    /// The rank that noticed the mismatch, and its call.
    const detail::CollectiveCall& here() const noexcept { return here_; }
    /// The other rank, and its call.
    const detail::CollectiveCall& there() const noexcept { return there_; }
    ErrorKind kind() const noexcept override { return ErrorKind::Bug; }

private:
    detail::CollectiveCall here_;
    detail::CollectiveCall there_;
};

}    // namespace ferry
