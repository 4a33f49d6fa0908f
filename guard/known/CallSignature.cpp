#include <ferry/guard/known/CallSignature.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/guard/known/Communicators.hpp>

namespace ferry::pmpi {

namespace {

struct NamedOperation {
    MPI_Op operation;
    const char* name;
};

struct KnownType {
    MPI_Datatype type;
    std::uint64_t kind;
};

enum Kind : std::uint64_t { Other, Integer, Floating, Complex };

/// The operations of MPI. The place in the list is compared, since handles differ between processes.
const auto& operations() {
    static const std::array all{
        NamedOperation{MPI_SUM, "MPI_SUM"},         NamedOperation{MPI_MAX, "MPI_MAX"},       NamedOperation{MPI_MIN, "MPI_MIN"},
        NamedOperation{MPI_PROD, "MPI_PROD"},       NamedOperation{MPI_LOR, "MPI_LOR"},       NamedOperation{MPI_LAND, "MPI_LAND"},
        NamedOperation{MPI_BOR, "MPI_BOR"},         NamedOperation{MPI_BAND, "MPI_BAND"},     NamedOperation{MPI_LXOR, "MPI_LXOR"},
        NamedOperation{MPI_BXOR, "MPI_BXOR"},       NamedOperation{MPI_MAXLOC, "MPI_MAXLOC"}, NamedOperation{MPI_MINLOC, "MPI_MINLOC"},
        NamedOperation{MPI_REPLACE, "MPI_REPLACE"}, NamedOperation{MPI_NO_OP, "MPI_NO_OP"},
    };
    return all;
}

/// Types of C and Fortran that MPI's operations take. Equal sizes of one kind are the same numbers in both languages.
const auto& types() {
    static const std::array all{
        KnownType{MPI_DOUBLE, Floating},
        KnownType{MPI_INT, Integer},
        KnownType{MPI_FLOAT, Floating},
        KnownType{MPI_LONG, Integer},
        KnownType{MPI_UNSIGNED_LONG, Integer},
        KnownType{MPI_UNSIGNED, Integer},
        KnownType{MPI_LONG_LONG_INT, Integer},
        KnownType{MPI_UNSIGNED_LONG_LONG, Integer},
        KnownType{MPI_INT64_T, Integer},
        KnownType{MPI_UINT64_T, Integer},
        KnownType{MPI_INT32_T, Integer},
        KnownType{MPI_UINT32_T, Integer},
        KnownType{MPI_INT16_T, Integer},
        KnownType{MPI_UINT16_T, Integer},
        KnownType{MPI_INT8_T, Integer},
        KnownType{MPI_UINT8_T, Integer},
        KnownType{MPI_CHAR, Integer},
        KnownType{MPI_SIGNED_CHAR, Integer},
        KnownType{MPI_UNSIGNED_CHAR, Integer},
        KnownType{MPI_SHORT, Integer},
        KnownType{MPI_UNSIGNED_SHORT, Integer},
        KnownType{MPI_BYTE, Integer},
        KnownType{MPI_C_BOOL, Integer},
        KnownType{MPI_AINT, Integer},
        KnownType{MPI_OFFSET, Integer},
        KnownType{MPI_COUNT, Integer},
        KnownType{MPI_LONG_DOUBLE, Floating},
        KnownType{MPI_C_FLOAT_COMPLEX, Complex},
        KnownType{MPI_C_DOUBLE_COMPLEX, Complex},
        KnownType{MPI_CXX_BOOL, Integer},
        KnownType{MPI_CXX_FLOAT_COMPLEX, Complex},
        KnownType{MPI_CXX_DOUBLE_COMPLEX, Complex},
        KnownType{MPI_INTEGER, Integer},
        KnownType{MPI_LOGICAL, Integer},
        KnownType{MPI_CHARACTER, Integer},
        KnownType{MPI_REAL, Floating},
        KnownType{MPI_DOUBLE_PRECISION, Floating},
        KnownType{MPI_COMPLEX, Complex},
        KnownType{MPI_DOUBLE_COMPLEX, Complex},
        KnownType{MPI_INTEGER1, Integer},
        KnownType{MPI_INTEGER2, Integer},
        KnownType{MPI_INTEGER4, Integer},
        KnownType{MPI_INTEGER8, Integer},
        KnownType{MPI_REAL4, Floating},
        KnownType{MPI_REAL8, Floating},
    };
    return all;
}

const char* operationName(MPI_Op operation) {
    const auto& all = operations();
    const auto found = std::find_if(all.begin(), all.end(), [operation](const NamedOperation& one) { return one.operation == operation; });
    return found != all.end() ? found->name : "an operation of the program";
}

std::string dataTypeName(MPI_Datatype type) {
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_get_name(type, name.data(), &length) != MPI_SUCCESS) length = 0;
    return {name.data(), static_cast<std::size_t>(length)};
}

std::int64_t bytesOf(std::int64_t count, MPI_Datatype type) {
    if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
    int size = 0;
    if (PMPI_Type_size(type, &size) == MPI_SUCCESS && size >= 0) [[likely]]
        return count * size;
    MPI_Count large = 0;
    return PMPI_Type_size_x(type, &large) == MPI_SUCCESS ? count * large : 0;
}

/// A number for the operation and the kind of its operands. Operations of the program are all the same.
std::uint64_t numberOf(MPI_Op operation, MPI_Datatype type) {
    constexpr std::uint64_t kindCount = 8;
    const auto& all = operations();
    const auto isIt = [operation](const NamedOperation& one) { return one.operation == operation; };
    const auto found = std::find_if(all.begin(), all.end(), isIt);
    if (found == all.end()) return 1;
    const auto known = std::find_if(types().begin(), types().end(), [type](const KnownType& one) { return one.type == type; });
    return (2 + static_cast<std::uint64_t>(found - all.begin())) * kindCount + (known != types().end() ? known->kind : Other);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 29;
}

}    // namespace

std::uint32_t CallSignature::hashOf(const char* name) noexcept {
    std::uint32_t hash = 2166136261U;    // FNV-1a
    for (; *name != '\0'; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 16777619U;
    return hash;
}

template <class Count>
CallSignature& CallSignature::take(const Count* counts, MPI_Comm communicator, MPI_Datatype type) noexcept {
    int isInter = 1;
    int size = 0;
    if (counts == nullptr || communicator == MPI_COMM_NULL || PMPI_Comm_test_inter(communicator, &isInter) != MPI_SUCCESS) return *this;
    if (isInter != 0 || PMPI_Comm_size(communicator, &size) != MPI_SUCCESS) return *this;
    if constexpr (std::is_same_v<Count, int>)
        counts_ = counts;
    else
        largeCounts_ = counts;
    countCount_ = size;
    std::int64_t all = 0;
    for (int rank = 0; rank < size; ++rank) all += static_cast<std::int64_t>(counts[rank]);
    return data(all, type);
}

CallSignature& CallSignature::counts(const int* counts, MPI_Comm communicator, MPI_Datatype type) noexcept {
    return take(counts, communicator, type);
}

CallSignature& CallSignature::counts(const MPI_Count* counts, MPI_Comm communicator, MPI_Datatype type) noexcept {
    return take(counts, communicator, type);
}

std::uint32_t CallSignature::hash(int rank) const {
    std::uint64_t hash = mixed(nameHash_, static_cast<std::uint64_t>(root_) + 1);
    const Data& data = dataAt(rank);
    if (data.count >= 0) hash = mixed(hash, static_cast<std::uint64_t>(bytesOf(data.count, data.type)) + 1);
    for (int i = 0; i < countCount_; ++i) hash = mixed(hash, static_cast<std::uint64_t>(bytesOf(countFor(i), data.type)) + 1);
    if (operation_ != MPI_OP_NULL) hash = mixed(hash, numberOf(operation_, numbers_));
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

std::string CallSignature::text(int rank) const {
    std::string text = name_;
    const Data& data = dataAt(rank);
    if (data.count >= 0) text += fmt::format(" of {} bytes", bytesOf(data.count, data.type));
    if (countCount_ > 0) {
        constexpr int mostCounts = 8;
        std::vector<std::int64_t> first;
        for (int i = 0; i < std::min(countCount_, mostCounts); ++i) first.push_back(bytesOf(countFor(i), data.type));
        text += fmt::format(": {}", fmt::join(first, ", "));
        if (countCount_ > mostCounts) text += fmt::format(", ... (all: {:#x})", hash(rank));
    }
    const std::string type = dataTypeName(data.count >= 0 ? data.type : numbers_);
    if (!type.empty()) text += fmt::format(" ({})", type);
    if (operation_ != MPI_OP_NULL) text += fmt::format(" with {}", operationName(operation_));
    if (root_ >= 0) text += fmt::format(", root {}", root_);
    return text;
}

std::uint32_t CallSignature::hash(const Communicator& communicator) const {
    return communicator.isInter() ? nameHash_ : hash(communicator.rank);
}

std::string CallSignature::text(const Communicator& communicator) const { return communicator.isInter() ? name_ : text(communicator.rank); }

}    // namespace ferry::pmpi
