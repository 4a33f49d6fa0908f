#include <ferry/connector/transport/mpi/calls/MpiBlockType.hpp>

#include <utility>
#include <vector>

#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>

namespace ferry::detail {

namespace {

/// A datatype that serves only to make other datatypes.
class PartOfType {
public:
    PartOfType() = default;
    PartOfType(const PartOfType&) = delete;
    PartOfType& operator=(const PartOfType&) = delete;
    ~PartOfType() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }

    MPI_Datatype* target() noexcept { return &type_; }
    MPI_Datatype take() noexcept { return std::exchange(type_, MPI_DATATYPE_NULL); }
    operator MPI_Datatype() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}    // namespace

MpiBlockType::MpiBlockType(const BlockLayout& blocks) : count_(static_cast<int>(blocks.elementCount)) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> offsets;
    for (const BlockLayout::Run& run : blocks.runs) {
        lengths.push_back(static_cast<int>(run.bytes));
        offsets.push_back(run.offset);
    }
    PartOfType runs;
    checkMpi(MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), offsets.data(), MPI_BYTE, runs.target()),
             "MPI_Type_create_hindexed");
    PartOfType element;
    checkMpi(MPI_Type_create_resized(runs, 0, static_cast<MPI_Aint>(blocks.strideBytes), element.target()), "MPI_Type_create_resized");
    checkMpi(MPI_Type_commit(element.target()), "MPI_Type_commit");
    type_ = element.take();
}

MpiBlockType::~MpiBlockType() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

}    // namespace ferry::detail
