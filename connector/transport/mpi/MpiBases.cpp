#include <ferry/connector/transport/mpi/MpiBases.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
#define FERRY_NEEDS_BASES 1
#else
#define FERRY_NEEDS_BASES 0
#endif

namespace ferry::detail {

namespace {

/// Some ranks of a communicator, as a group of MPI that is freed at the end.
class MpiGroup {
public:
    MpiGroup(MPI_Comm communicator, const std::vector<int>& ranks) {
        MPI_Group all = MPI_GROUP_NULL;
        result = MPI_Comm_group(communicator, &all);
        if (result != MPI_SUCCESS) return;
        result = MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &handle);
        MPI_Group_free(&all);
    }
    MpiGroup(const MpiGroup&) = delete;
    MpiGroup& operator=(const MpiGroup&) = delete;
    ~MpiGroup() {
        if (handle != MPI_GROUP_NULL) MPI_Group_free(&handle);
    }

    int result = MPI_SUCCESS;
    MPI_Group handle = MPI_GROUP_NULL;
};

int createGroup(MPI_Comm communicator, MPI_Group group, int tag, MPI_Comm* made) {
    constexpr int tagCount = 32768;    // the tags that every MPI has
    return MPI_Comm_create_group(communicator, group, tag % tagCount, made);
}

}    // namespace

const char* const MpiBases::callOfAdd = FERRY_NEEDS_BASES != 0 ? "MPI_Comm_create_from_group" : "MPI_Comm_create_group";

MpiBases::MpiBases(MPI_Comm around, bool survivesLosses) noexcept : around_(around), areUsed_(survivesLosses && FERRY_NEEDS_BASES != 0) {}

MpiBases::~MpiBases() {
    int isFinalized = 0;
    if (MPI_Finalized(&isFinalized) != MPI_SUCCESS || isFinalized != 0) return;
    for (Base& base : bases_) MPI_Comm_free(&base.communicator);
}

int MpiBases::baseOf(std::vector<int> ranks) const {
    std::sort(ranks.begin(), ranks.end());
    const auto found = std::find_if(bases_.begin(), bases_.end(), [&ranks](const Base& base) { return base.ranks == ranks; });
    return found != bases_.end() ? found->number : 0;
}

int MpiBases::add(std::vector<int> ranks, int number) {
    lastNumber_ = std::max(lastNumber_, number);
    std::sort(ranks.begin(), ranks.end());
    const MpiGroup group(around_, ranks);
    if (group.result != MPI_SUCCESS) return group.result;
    drop(baseOf(ranks));
    bases_.reserve(bases_.size() + 1);
    Base base{number, std::move(ranks), MPI_COMM_NULL};
#if FERRY_NEEDS_BASES
    // Bases with one number share no rank, so that no other base has this name.
    const std::string name = fmt::format("ferry {} {}", number, base.ranks.front());
    const int result = MPI_Comm_create_from_group(group.handle, name.c_str(), MPI_INFO_NULL, MPI_ERRORS_RETURN, &base.communicator);
#else
    const int result = createGroup(around_, group.handle, number, &base.communicator);
#endif
    if (result == MPI_SUCCESS) bases_.push_back(std::move(base));
    return result;
}

void MpiBases::drop(int number) noexcept {
    std::erase_if(bases_, [number](Base& base) {
        if (base.number != number) return false;
        MPI_Comm_free(&base.communicator);
        return true;
    });
}

int MpiBases::make(int base, const std::vector<int>& ranks, int tag, MPI_Comm* made) const {
    healAfterLoss();
    const MPI_Comm communicator = of(base);
    if (communicator == MPI_COMM_NULL) return MPI_ERR_COMM;
    const MpiGroup group(around_, ranks);
    if (group.result != MPI_SUCCESS) return group.result;
    return createGroup(communicator, group.handle, tag, made);
}

/// When the making of a communicator has failed after a death, Open MPI 5 leaves its choice of a number for it locked. All later ones would
/// wait for ever. The making of one from a communicator of a lower number, such as MPI_COMM_SELF, unlocks it.
void MpiBases::healAfterLoss() const noexcept {
#if FERRY_NEEDS_BASES
    MPI_Group failed = MPI_GROUP_NULL;
    int count = 0;
    if (MPIX_Comm_get_failed(around_, &failed) != MPI_SUCCESS) return;
    MPI_Group_size(failed, &count);
    MPI_Group_free(&failed);
    MPI_Comm own = MPI_COMM_NULL;
    if (count != 0 && MPI_Comm_dup(MPI_COMM_SELF, &own) == MPI_SUCCESS) MPI_Comm_free(&own);
#endif
}

MPI_Comm MpiBases::of(int base) const noexcept {
    if (base == 0) return around_;
    const auto found = std::find_if(bases_.begin(), bases_.end(), [base](const Base& each) { return each.number == base; });
    return found != bases_.end() ? found->communicator : MPI_COMM_NULL;
}

}    // namespace ferry::detail
