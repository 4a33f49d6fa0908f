#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ferry/connector/exception/Failure.hpp>
#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// The exceptions that the ranks of a guarded region have thrown. The list is the same on every rank.
///
/// The cause comes first. A failure comes after each failure that it can have followed from, through letters between the ranks (logical
/// time). Failures that cannot have known of each other are in an order without meaning, the same on every rank. Lists of regions inside
/// are taken apart: each failure is there once.
/// Ownership: copies share the failures.
class ExceptionList : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::ExceptionList)

    /// The greatest depth of lists among the causes of failures of lists. A reader refuses deeper ones.
    static constexpr int MaxDepth = 16;

    ExceptionList() = default;
    /// records: at least one.
    explicit ExceptionList(std::vector<detail::FailureRecord> records, const ObjectFactory& factory = ObjectFactory::global());

    std::size_t size() const noexcept { return failures().size(); }
    /// The failure with this index. Errors: std::out_of_range.
    const Failure& operator[](std::size_t place) const { return failures().at(place); }
    /// The cause of the others, as far as it can be known.
    const Failure& front() const { return (*this)[0]; }
    std::vector<Failure>::const_iterator begin() const noexcept { return failures().begin(); }
    std::vector<Failure>::const_iterator end() const noexcept { return failures().end(); }

    /// The failures that a handler for E would catch.
    template <class E>
    std::vector<Failure> of() const {
        std::vector<Failure> found;
        for (const Failure& failure : *this) {
            if (failure.as<E>() != nullptr) found.push_back(failure);
        }
        return found;
    }

    /// The failures as they travel.
    const std::vector<detail::FailureRecord>& records() const noexcept { return contents().records; }

    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

private:
    struct Contents {
        std::vector<detail::FailureRecord> records;    ///< sorted
        std::vector<Failure> failures;
    };

    const Contents& contents() const noexcept;
    const std::vector<Failure>& failures() const noexcept { return contents().failures; }
    void set(std::vector<detail::FailureRecord> records, const ObjectFactory& factory);

    std::shared_ptr<const Contents> contents_;    ///< null: no failures
};

}    // namespace ferry
