#pragma once

#include <type_traits>
#include <vector>

#include <mpi.h>

#include <ferry/benchmarks/views/Walk.hpp>

// The code that MPI Serializer generates: MPI_Pack_size of each field, then MPI_Pack of each field into one buffer.

namespace bench {
namespace {

template <class T>
MPI_Datatype mpiTypeOf() {
    if constexpr (std::is_enum_v<T>)
        return mpiTypeOf<std::underlying_type_t<T>>();
    else if constexpr (std::is_same_v<T, char>)
        return MPI_CHAR;
    else if constexpr (std::is_same_v<T, bool>)
        return MPI_CXX_BOOL;
    else if constexpr (std::is_same_v<T, short>)
        return MPI_SHORT;
    else if constexpr (std::is_same_v<T, int>)
        return MPI_INT;
    else if constexpr (std::is_same_v<T, long>)
        return MPI_LONG;
    else if constexpr (std::is_same_v<T, float>)
        return MPI_FLOAT;
    else
        return static_cast<std::enable_if_t<std::is_same_v<T, double>, MPI_Datatype>>(MPI_DOUBLE);
}

struct MpiSizer {
    static constexpr bool isReading = false;
    template <class T>
    void values(T*, std::size_t count) {
        int size = 0;
        MPI_Pack_size(static_cast<int>(count), mpiTypeOf<T>(), MPI_COMM_WORLD, &size);
        bytes += size;
    }
    int bytes = 0;
    ShareNumbers shares{};
};

struct MpiWriter {
    static constexpr bool isReading = false;
    template <class T>
    void values(T* first, std::size_t count) {
        MPI_Pack(first, static_cast<int>(count), mpiTypeOf<T>(), bytes.data(), static_cast<int>(bytes.size()), &position, MPI_COMM_WORLD);
    }
    std::vector<char>& bytes;
    int position = 0;
    ShareNumbers shares{};
};

struct MpiReader {
    static constexpr bool isReading = true;
    template <class T>
    void values(T* first, std::size_t count) {
        MPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &position, first, static_cast<int>(count), mpiTypeOf<T>(), MPI_COMM_WORLD);
    }
    std::vector<char>& bytes;
    int position = 0;
    ShareNumbers shares{};
};

class MpiPacked {
public:
    static constexpr const char* name = "MPI_Pack";

    template <class T>
    void pack(T& value) {
        MpiSizer sizer;
        walk(sizer, value);
        bytes_.resize(static_cast<std::size_t>(sizer.bytes));
        MpiWriter writer{bytes_};
        walk(writer, value);
    }
    template <class T>
    void unpack(T& value) {
        MpiReader reader{bytes_};
        walk(reader, value);
    }
    std::vector<char>& bytes() { return bytes_; }

private:
    std::vector<char> bytes_;
};

}    // namespace
}    // namespace bench
