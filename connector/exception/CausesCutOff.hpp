#pragma once

#include <cstddef>
#include <cstdint>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Marks the end of a chain of causes that is too long. Stands for the causes that were cut off.
class CausesCutOff : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::CausesCutOff)
    FERRY_FIELDS_DECLARED(count_)

    /// The largest count. A longer chain is not counted to its end.
    static constexpr std::size_t maxCount = 10'000;

    CausesCutOff() = default;
    explicit CausesCutOff(std::size_t count);

    /// The number of missing causes; maxCount stands for that many or more.
    std::size_t count() const noexcept { return static_cast<std::size_t>(count_); }

private:
    std::int32_t count_ = 0;
};

}    // namespace ferry
