#include <ferry/serialization/AbsentArrays.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/IntWriter.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace absentarraystest {

struct Mixed {
    int before = 0;
    std::vector<double> values;
    std::string text;
    std::array<int, 1000> fixed{};
    std::vector<int> small;
    FERRY_FIELDS(before, values, text, fixed, small)
};

/// The borrowed arrays of a buffer, for a reader of a copy of it in which they are missing.
class Elsewhere final : public AbsentArrays {
public:
    Elsewhere(const IntBuffer& written, std::span<std::int32_t> copy) {
        std::size_t place = 0;
        for (const IntBuffer::Segment& segment : written.segments()) {
            if (segment.isBorrowed) {
                std::memset(copy.data() + place, 0x55, segment.intCount * sizeof(std::int32_t));
                arrays_.push_back({copy.data() + place, segment});
            }
            place += segment.intCount;
        }
    }
    bool isAt(const std::int32_t* place) const noexcept override { return find(place) != nullptr; }
    std::size_t intCountAt(const std::int32_t* place) const override { return find(place)->segment.intCount; }
    void fetch(const std::int32_t* place, std::byte* target) override {
        const Array* array = find(place);
        std::memcpy(target, array->segment.bytes, array->segment.intCount * sizeof(std::int32_t));
        ++fetched;
    }
    std::size_t count() const { return arrays_.size(); }

    int fetched = 0;

private:
    struct Array {
        const std::int32_t* place;
        IntBuffer::Segment segment;
    };
    const Array* find(const std::int32_t* place) const noexcept {
        for (const Array& array : arrays_) {
            if (array.place == place) return &array;
        }
        return nullptr;
    }
    std::vector<Array> arrays_;
};

std::vector<std::int32_t> copyOf(const IntBuffer& ints) {
    std::vector<std::int32_t> copy(ints.size());
    ints.copyTo(copy.data());
    return copy;
}

Mixed sample() {
    Mixed mixed;
    mixed.before = 4;
    mixed.values.assign(100, 2.5);
    mixed.text = std::string(1001, 'x');    // its last byte fills no int
    mixed.fixed[999] = 9;
    mixed.small = {1, 2, 3};
    return mixed;
}

}    // namespace absentarraystest

using namespace absentarraystest;

TEST_CASE("AbsentArrays: counted arrays are fetched into the object, all else is among the ints") {
    const Mixed mixed = sample();
    IntBuffer ints;
    IntWriter(ints).lendCounted(mixed, 100);
    std::vector<std::int32_t> copy = copyOf(ints);
    Elsewhere elsewhere(ints, copy);
    CHECK(elsewhere.count() == 2);    // values and text: a fixed array is never elsewhere

    IntReader in(copy);
    in.setAbsent(&elsewhere);
    Mixed read;
    in >> read;
    in.expectEnd();
    CHECK(elsewhere.fetched == 2);
    CHECK(read.values == mixed.values);
    CHECK(read.text == mixed.text);
    CHECK(read.fixed == mixed.fixed);
    CHECK(read.small == mixed.small);
}

TEST_CASE("AbsentArrays: into a span, and as another size, which is refused") {
    const std::vector<int> values(50, 3);
    IntBuffer ints;
    IntWriter(ints).lendCounted(values, 100);
    std::vector<std::int32_t> copy = copyOf(ints);
    Elsewhere elsewhere(ints, copy);
    std::vector<int> target(50);
    std::span<int> span(target);
    IntReader in(copy);
    in.setAbsent(&elsewhere);
    in >> span;
    CHECK(target == values);

    copy[0] = 49;    // a count that is not that of the array
    IntReader wrong(copy);
    wrong.setAbsent(&elsewhere);
    std::vector<int> read;
    CHECK_THROWS_AS(wrong >> read, SerializationError);
}
