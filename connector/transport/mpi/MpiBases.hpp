#pragma once

#include <vector>

#include <mpi.h>

namespace ferry::detail {

/// Makes communicators of some ranks, also after the loss of others.
///
/// After a loss, Open MPI 5 makes no communicator of one that holds the lost rank. While a loss becomes known, some ranks would leave
/// MPI_Comm_create_group with an error, and the rest would wait in it for them for ever. So a job that survives losses makes no
/// communicators of the communicator around. It calls MPI_Comm_create_from_group, which needs no other communicator. But each such call
/// makes the next ones slower: 300 of them take as much as 0.3 s each. So its result is kept as a base, and the next communicators of the
/// same ranks are made of the base.
///
/// Ranks are those of the communicator around. Ownership: owns the bases. It frees them when MPI still works.
class MpiBases {
public:
    /// around: outlives this object. survivesLosses: the job goes on when MPI has lost a rank.
    MpiBases(MPI_Comm around, bool survivesLosses) noexcept;
    MpiBases(const MpiBases&) = delete;
    MpiBases& operator=(const MpiBases&) = delete;
    ~MpiBases();

    /// Whether communicators are to be made of bases. All ranks have the same answer.
    bool areUsed() const noexcept { return areUsed_; }
    /// Lets bases be used. Tests call it where MPI does not need bases.
    void use() noexcept { areUsed_ = true; }

    /// A number for the next base. The greatest of such numbers of several ranks is new for all of them.
    int proposeNumber() noexcept { return ++lastNumber_; }
    /// The number of the base of just these ranks, in any order; 0: there is none.
    int baseOf(std::vector<int> ranks) const;

    /// Makes the base of these ranks, in the place of an earlier one. All of them call it together, with a number that is new for all.
    /// Returns the result of MPI.
    int add(std::vector<int> ranks, int number);
    /// The call of MPI that add() makes.
    static const char* const callOfAdd;
    void drop(int number) noexcept;

    /// Makes a communicator of the ranks, in this order, of their base; base 0: of the communicator around. All of them call it together.
    /// tag: tells calls apart that different threads make at the same time. Returns the result of MPI, also when the base was dropped here.
    int make(int base, const std::vector<int>& ranks, int tag, MPI_Comm* made) const;

private:
    struct Base {
        int number = 0;
        std::vector<int> ranks;    ///< sorted
        MPI_Comm communicator = MPI_COMM_NULL;
    };

    MPI_Comm of(int base) const noexcept;

    void healAfterLoss() const noexcept;

    MPI_Comm around_;
    std::vector<Base> bases_;
    int lastNumber_ = 0;
    bool areUsed_ = false;
};

}    // namespace ferry::detail
