#pragma once

#include <cstring>
#include <vector>

#include <ferry/benchmarks/views/Walk.hpp>

// Packing code as a user writes it without any library: one pass computes the size, and one pass copies into memory of that size.

namespace bench {
namespace {

struct ByteCounter {
    static constexpr bool isReading = false;
    template <class T>
    void values(T*, std::size_t count) {
        bytes += count * sizeof(T);
    }
    std::size_t bytes = 0;
    ShareNumbers shares{};
};

struct ByteWriter {
    static constexpr bool isReading = false;
    template <class T>
    void values(T* first, std::size_t count) {
        std::memcpy(target, first, count * sizeof(T));
        target += count * sizeof(T);
    }
    char* target;
    ShareNumbers shares{};
};

struct ByteReader {
    static constexpr bool isReading = true;
    template <class T>
    void values(T* first, std::size_t count) {
        std::memcpy(first, source, count * sizeof(T));
        source += count * sizeof(T);
    }
    const char* source;
    ShareNumbers shares{};
};

class HandWritten {
public:
    static constexpr const char* name = "hand-written";
    static constexpr std::size_t partBytes = 3 * sizeof(float);

    template <class T>
    void pack(T& value) {
        ByteCounter counter;
        walk(counter, value);
        bytes_.resize(counter.bytes);
        ByteWriter writer{bytes_.data()};
        walk(writer, value);
    }
    void pack(AdjacentPart& part) {
        char* target = room(part.objects.size());
        for (space::Mass& mass : part.objects) {
            std::memcpy(target, &std::get<0>(partOf(part, mass)), partBytes);
            target += partBytes;
        }
    }
    void pack(HoledPart& part) {
        char* target = room(part.objects.size());
        for (space::Mass& mass : part.objects) {
            std::memcpy(target, &std::get<0>(partOf(part, mass)), 2 * sizeof(float));
            std::memcpy(target + 2 * sizeof(float), &std::get<2>(partOf(part, mass)), sizeof(float));
            target += partBytes;
        }
    }
    template <class T>
    void unpack(T& value) {
        ByteReader reader{bytes_.data()};
        walk(reader, value);
    }
    void unpack(AdjacentPart& part) {
        const char* source = bytes_.data();
        for (space::Mass& mass : part.objects) {
            std::memcpy(&std::get<0>(partOf(part, mass)), source, partBytes);
            source += partBytes;
        }
    }
    void unpack(HoledPart& part) {
        const char* source = bytes_.data();
        for (space::Mass& mass : part.objects) {
            std::memcpy(&std::get<0>(partOf(part, mass)), source, 2 * sizeof(float));
            std::memcpy(&std::get<2>(partOf(part, mass)), source + 2 * sizeof(float), sizeof(float));
            source += partBytes;
        }
    }
    std::vector<char>& bytes() { return bytes_; }

private:
    char* room(std::size_t masses) {
        bytes_.resize(masses * partBytes);
        return bytes_.data();
    }

    std::vector<char> bytes_;
};

/// The bytes of all members that the views name. Used to compare the values that were read.
template <class T>
std::vector<char> bytesOf(T& value) {
    HandWritten packed;
    packed.pack(value);
    return packed.bytes();
}

}    // namespace
}    // namespace bench
