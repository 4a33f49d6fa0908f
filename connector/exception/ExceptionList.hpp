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

/// The exceptions that the ranks of a guarded region have thrown; the same list on every rank.
///
/// The cause comes first: a failure comes after each one that it can have followed from, by what was sent between the ranks (logical time).
/// Failures that cannot have known of each other are in an order that is the same on every rank, and says nothing. Lists of regions inside
/// are taken apart: each failure is there once.
/// Ownership: copies share the failures.
class ExceptionList : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::ExceptionList)

    /// Lists whose failures have such lists among their causes, and so on: deeper ones are refused by a reader.
    static constexpr int MaxDepth = 16;

    ExceptionList() = default;
    /// At least one record.
    explicit ExceptionList(std::vector<FailureRecord> records, const ObjectFactory& factory = ObjectFactory::global());

    std::size_t size() const noexcept { return failures().size(); }
    /// Errors: std::out_of_range.
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
    const std::vector<FailureRecord>& records() const noexcept { return contents().records; }

    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

private:
    struct Contents {
        std::vector<FailureRecord> records;    ///< sorted
        std::vector<Failure> failures;
    };

    const Contents& contents() const noexcept;
    const std::vector<Failure>& failures() const noexcept { return contents().failures; }
    void set(std::vector<FailureRecord> records, const ObjectFactory& factory);

    std::shared_ptr<const Contents> contents_;    ///< null: none
};

}    // namespace ferry
