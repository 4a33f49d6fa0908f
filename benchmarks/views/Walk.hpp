#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <ferry/benchmarks/views/Members.hpp>
#include <ferry/benchmarks/views/Samples.hpp>

// Visits the samples in the way of hand-written code and of MPI Serializer: field by field, in the order of the views. An archive has
//     template <class T> void values(T* first, std::size_t count);    contiguous numbers, enums and characters
//     static constexpr bool isReading;

namespace bench {
namespace {

template <class T>
inline constexpr bool isValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Numbers of shared objects, in the order of their first visit.
class ShareNumbers {
public:
    /// Returns the number of an object, and whether the object is new.
    std::pair<std::int32_t, bool> numberOf(const void* object) {
        const auto [place, isNew] = numbers_.try_emplace(object, static_cast<std::int32_t>(numbers_.size()));
        return {place->second, isNew};
    }
    std::vector<std::shared_ptr<growing::Node>>& read() { return read_; }

private:
    std::unordered_map<const void*, std::int32_t> numbers_;
    std::vector<std::shared_ptr<growing::Node>> read_;
};

template <class Archive, class T>
void walk(Archive& archive, T& value);

template <class Archive>
void walk(Archive& archive, std::shared_ptr<growing::Node>& pointer) {
    std::int32_t number = 0;
    if constexpr (Archive::isReading) {
        archive.values(&number, 1);
        auto& known = archive.shares.read();
        if (static_cast<std::size_t>(number) == known.size()) {
            known.push_back(std::make_shared<growing::Node>());
            walk(archive, *known.back());
        }
        pointer = known.at(static_cast<std::size_t>(number));
    } else {
        bool isNew = false;
        std::tie(number, isNew) = archive.shares.numberOf(pointer.get());
        archive.values(&number, 1);
        if (isNew) walk(archive, *pointer);
    }
}

template <class Archive, class Container>
void walkContainer(Archive& archive, Container& container) {
    auto count = static_cast<std::int32_t>(container.size());
    archive.values(&count, 1);
    if constexpr (Archive::isReading) container.resize(static_cast<std::size_t>(count));
    if constexpr (isValue<typename Container::value_type>) {
        archive.values(container.data(), container.size());
    } else {
        for (auto& element : container) walk(archive, element);
    }
}

template <class Archive, class T>
void walkField(Archive& archive, T& field) {
    if constexpr (std::is_array_v<T>)
        archive.values(&field[0], std::extent_v<T>);
    else
        archive.values(&field, 1);
}

/// Visits a part of each object. The objects exist already.
template <class Archive, class Part>
    requires requires(Part& part) { part.objects; }
void walk(Archive& archive, Part& part) {
    for (auto& object : part.objects) std::apply([&archive](auto&... fields) { (walkField(archive, fields), ...); }, partOf(part, object));
}

template <class Archive, class T>
void walk(Archive& archive, T& value) {
    if constexpr (isValue<T>) {
        archive.values(&value, 1);
    } else if constexpr (requires { value.resize(1); }) {
        walkContainer(archive, value);
    } else {
        std::apply([&archive](auto&... fields) { (walk(archive, fields), ...); }, fieldsOf(value));
    }
}

}    // namespace
}    // namespace bench
