#include <ferry/connector/exception/Failure.hpp>

namespace ferry {

Failure::Failure(const detail::FailureRecord& record, const ObjectFactory& factory)
    : rank_(record.rank),
      ranks_(record.ranks.begin(), record.ranks.end()),
      exception_(record.exception.rebuild(factory)) {
    const detail::Thrown thrown(exception_);
    typeName_ = thrown.typeName();
    text_ = thrown.text();
    origin_ = thrown.origin();
}

}    // namespace ferry
