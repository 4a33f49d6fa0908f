#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/CallSignature.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/LaterCommunicator.hpp>
#include <ferry/guard/meeting/EntryTree.hpp>

namespace ferry::pmpi {

/// The non-blocking collectives of a region that are not over.
///
/// A collective that is under way in the MPI library writes to the program's buffers and cannot be cancelled. So the guard only notes a
/// call, and makes it when all ranks of the communicator have come to it (EntryTree). Then each rank will make it, also a rank that fails
/// meanwhile (Quiescence), and the collective ends. The program gets a generalized request, which completes when the library's own request
/// does. Calls on one communicator are made in the order in which they came. Ownership: borrows the tree.
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

    /// Notes a call. Returns the program's request. made: the communicator that the call makes; null: none.
    MPI_Request add(const Communicator& communicator, const CallSignature& signature, Call call,
                    std::shared_ptr<LaterCommunicator> made = nullptr);
    /// A call of this rank that differs from that of another rank, as far as this rank has found out. No rank makes it.
    const std::optional<EntryTree::Place>& disagreement() const noexcept { return tree_.disagreement(); }
    /// The call of this number on a communicator in words; empty: this rank has not called it, or it is over.
    std::string textOf(const EntryTree::Place& place) const;
    /// A hash of the calls on the communicator after the first number, up to the last one. None of them has been made.
    std::uint64_t hashOf(const Communicator& communicator, std::uint64_t first, std::uint64_t last) const;
    /// The number of calls to which all ranks of the communicator have come, as far as this rank knows. Some rank may have made them.
    std::uint64_t calledByAll(const Communicator& communicator) const { return tree_.enteredByAll(communicator); }
    /// The number of calls on the communicator in this region.
    std::uint64_t countOn(const Communicator& communicator) const { return tree_.enteredOn(communicator.id); }

    /// Makes the calls to which all ranks have come, and completes the requests of calls that are over.
    void advance();
    /// Whether the library works at a call.
    bool isAnyMade() const noexcept;
    /// Whether no call is left that comes before the next call on the communicator: all are made, and the communicators that they make are
    /// there.
    bool haveAllBeenMadeOn(const Communicator& communicator) const;
    /// Makes the calls up to this number; all ranks of the communicator have come to them. Later calls stay. Waits for the communicators
    /// that the calls make, before ranks that have them look for messages there.
    void makeUpTo(std::uint64_t number, const Communicator& communicator);
    /// Waits for the calls that were made, and drops the others. The program gets no communicator any more.
    void finish();
    /// Whether communicators were made that the program has not got. They are marked as freed.
    bool haveDropped() const noexcept { return haveDropped_; }

    /// Frees a type, or an operation, for the program when no collective is under way.
    void freeTypeLater(MPI_Datatype type) { types_.push_back(type); }
    void freeOperationLater(MPI_Op operation) { operations_.push_back(operation); }

private:
    struct Deferred {
        const Communicator* communicator = nullptr;
        std::uint64_t number = 0;    ///< number on the communicator, in the region
        std::optional<CallSignature> signature{};
        Call call{};
        std::shared_ptr<LaterCommunicator> made{};    ///< null: the call makes no communicator
        bool isMade = false;
        MPI_Request own = MPI_REQUEST_NULL;       ///< the library's request
        MPI_Request handle = MPI_REQUEST_NULL;    ///< the program's request
        int* result = nullptr;                    ///< final result of the program's request
    };

    bool isMakingBefore(const Deferred& next) const;
    static void make(Deferred& one);
    static bool isOver(Deferred& one);
    static void waitFor(Deferred& one);
    static void complete(Deferred& one);
    void freeWhenEmpty();

    EntryTree& tree_;
    std::list<Deferred> all_;    // in the order of the calls
    std::vector<MPI_Datatype> types_;
    std::vector<MPI_Op> operations_;
    bool haveDropped_ = false;
};

}    // namespace ferry::pmpi
