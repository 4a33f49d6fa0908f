#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/EntryTree.hpp>

namespace ferry::pmpi {

/// The non-blocking collectives of a region that are not over.
///
/// What is under way in the MPI library writes to the program's buffers, and cannot be taken back. So a call is only noted, and made when
/// all ranks of the communicator have come to it (EntryTree): then each will make it, also one that fails meanwhile (Quiescence), and it
/// ends. The program has a generalized request, which is complete when the library's own is. Calls on one communicator are made in the
/// order in which they came. Ownership: borrows the tree.
///
/// Threads: one at a time.
class DeferredCollectives {
public:
    using Call = std::function<int(MPI_Request*)>;

    explicit DeferredCollectives(EntryTree& tree) : tree_(tree) {}
    DeferredCollectives(const DeferredCollectives&) = delete;
    DeferredCollectives& operator=(const DeferredCollectives&) = delete;

    bool isEmpty() const noexcept { return all_.empty(); }
    /// The program's requests.
    std::vector<MPI_Request> handles() const;

    /// The program's request.
    MPI_Request add(const Communicator& communicator, Call call);
    /// How many calls on the communicator there have been in the region.
    std::uint64_t countOn(const Communicator& communicator) const { return tree_.enteredOn(communicator.id); }

    /// Makes those that all ranks have come to, and completes what is over.
    void advance();
    bool haveAllBeenMadeOn(const Communicator& communicator) const;
    /// All ranks of the communicator have come to the calls up to this one: makes them. The others are left.
    void makeUpTo(std::uint64_t number, const Communicator& communicator);
    /// Waits for what was made, and drops the rest.
    void finish();

    /// A type, or an operation, that the program frees: that waits until nothing is under way.
    void freeTypeLater(MPI_Datatype type) { types_.push_back(type); }
    void freeOperationLater(MPI_Op operation) { operations_.push_back(operation); }

private:
    struct Deferred {
        const Communicator* communicator = nullptr;
        std::uint64_t number = 0;    ///< on the communicator, in the region
        Call call{};
        bool isMade = false;
        MPI_Request own = MPI_REQUEST_NULL;       ///< the library's
        MPI_Request handle = MPI_REQUEST_NULL;    ///< the program's
        int* result = nullptr;                    ///< what the program's request says in the end
    };

    static void make(Deferred& one);
    static bool isOver(Deferred& one);
    static void complete(Deferred& one);
    void freeWhenEmpty();

    EntryTree& tree_;
    std::list<Deferred> all_;    // in the order of the calls
    std::vector<MPI_Datatype> types_;
    std::vector<MPI_Op> operations_;
};

}    // namespace ferry::pmpi
