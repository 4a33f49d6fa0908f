#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

#include <mpi.h>

#include <ferry/benchmarks/views/Members.hpp>
#include <ferry/benchmarks/views/MpiPacked.hpp>
#include <ferry/benchmarks/views/Samples.hpp>

// An MPI datatype for the same part of each mass. The offsets are computed from an object.

namespace bench {
namespace {

template <class Part>
class PartDatatype {
public:
    static constexpr const char* name = "MPI_Datatype";

    PartDatatype() {
        std::vector<typename Part::Object> samples(1);
        std::apply([&](auto&... fields) { make(samples.front(), fields...); }, partOf(Part{samples}, samples.front()));
    }
    PartDatatype(const PartDatatype&) = delete;
    PartDatatype& operator=(const PartDatatype&) = delete;
    ~PartDatatype() { MPI_Type_free(&type_); }

    MPI_Datatype type() const { return type_; }

    void pack(Part& part) {
        const int count = static_cast<int>(part.objects.size());
        int size = 0, position = 0;
        MPI_Pack_size(count, type_, MPI_COMM_WORLD, &size);
        bytes_.resize(static_cast<std::size_t>(size));
        MPI_Pack(part.objects.data(), count, type_, bytes_.data(), size, &position, MPI_COMM_WORLD);
    }
    void unpack(Part& part) {
        int position = 0;
        MPI_Unpack(bytes_.data(), static_cast<int>(bytes_.size()), &position, part.objects.data(), static_cast<int>(part.objects.size()),
                   type_, MPI_COMM_WORLD);
    }

private:
    template <class... Fields>
    void make(const typename Part::Object& sample, Fields&... fields) {
        const std::array<int, sizeof...(Fields)> lengths{static_cast<int>(std::max<std::size_t>(1, std::extent_v<Fields>))...};
        const std::array<MPI_Datatype, sizeof...(Fields)> types{mpiTypeOf<std::remove_extent_t<Fields>>()...};
        std::array<MPI_Aint, sizeof...(Fields)> places{addressOf(fields)...};
        for (MPI_Aint& place : places) place -= addressOf(sample);
        MPI_Datatype fieldsType = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(sizeof...(Fields), lengths.data(), places.data(), types.data(), &fieldsType);
        MPI_Type_create_resized(fieldsType, 0, sizeof(typename Part::Object), &type_);
        MPI_Type_commit(&type_);
        MPI_Type_free(&fieldsType);
    }
    static MPI_Aint addressOf(const auto& object) {
        MPI_Aint address = 0;
        MPI_Get_address(&object, &address);
        return address;
    }

    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    std::vector<char> bytes_;
};

}    // namespace
}    // namespace bench
