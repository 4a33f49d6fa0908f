#pragma once

#include <cstdint>
#include <string>

#include <mpi.h>

namespace ferry::pmpi {

struct Communicator;

/// A collective call, as the ranks of a communicator compare it before they make it: its name, and its root, operation and bytes of data
/// where MPI demands that they are equal on all ranks. For an operation of MPI also the kind of the numbers, such as floating point.
///
/// Types with equal numbers of bytes pass: ranks may describe the same data differently. The types are looked at only when the ranks
/// compare.
class CallSignature {
public:
    /// name: a literal.
    CallSignature(const char* name) noexcept : CallSignature(name, hashOf(name)) {}
    /// nameHash: any number that is the same for the name on all ranks.
    CallSignature(const char* name, std::uint32_t nameHash) noexcept : name_(name), nameHash_(nameHash) {}

    const char* name() const noexcept { return name_; }

    CallSignature& root(int root) noexcept { return root_ = root, *this; }
    /// The data of this rank; with dataOfRoot(), of each rank but the root.
    CallSignature& data(std::int64_t count, MPI_Datatype type) noexcept { return data_ = {count, type}, *this; }
    CallSignature& dataOfRoot(std::int64_t count, MPI_Datatype type) noexcept { return dataOfRoot_ = {count, type}, *this; }
    /// The counts of data for each rank of the communicator, which are equal on all ranks. The array must live as long as this object.
    CallSignature& counts(const int* counts, MPI_Comm communicator, MPI_Datatype type) noexcept;
    CallSignature& counts(const MPI_Count* counts, MPI_Comm communicator, MPI_Datatype type) noexcept;
    /// type: of the numbers.
    CallSignature& operation(MPI_Op operation, MPI_Datatype type) noexcept {
        operation_ = operation;
        numbers_ = type;
        return *this;
    }

    /// The root; without one, the other value.
    int rootOr(int other) const noexcept { return root_ >= 0 ? root_ : other; }
    /// The number of elements that are compared; -1: none are.
    std::int32_t count() const noexcept { return static_cast<std::int32_t>(data_.count); }

    /// The number that ranks compare: calls that differ have the same one with a chance of one in a million. rank: of this process in the
    /// communicator of the call.
    std::uint32_t hash(int rank) const;
    /// The number for a call on the communicator. The groups of an intercommunicator give different roots and data: there, only the names
    /// are compared.
    std::uint32_t hash(const Communicator& communicator) const;
    /// The call in words, with all that is compared.
    std::string text(int rank) const;
    std::string text(const Communicator& communicator) const;

private:
    struct Data {
        std::int64_t count = -1;    ///< -1: not compared
        MPI_Datatype type = MPI_DATATYPE_NULL;
    };

    template <class Count>
    CallSignature& take(const Count* counts, MPI_Comm communicator, MPI_Datatype type) noexcept;
    std::int64_t countFor(int rank) const noexcept {
        return counts_ != nullptr ? counts_[rank] : static_cast<std::int64_t>(largeCounts_[rank]);
    }
    static std::uint32_t hashOf(const char* name) noexcept;
    const Data& dataAt(int rank) const noexcept { return rank == root_ && dataOfRoot_.count >= 0 ? dataOfRoot_ : data_; }

    const char* name_;
    std::uint32_t nameHash_;
    int root_ = -1;    ///< -1: none
    Data data_;
    Data dataOfRoot_;
    const int* counts_ = nullptr;    ///< by rank
    const MPI_Count* largeCounts_ = nullptr;
    int countCount_ = 0;
    MPI_Op operation_ = MPI_OP_NULL;
    MPI_Datatype numbers_ = MPI_DATATYPE_NULL;
};

}    // namespace ferry::pmpi
