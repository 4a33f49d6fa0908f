#pragma once

#include <vector>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/connector/ThrowPoints.hpp>

// The messages of the campaign of guarded regions. They have throw points in the functions that write, read and combine them.

namespace ferry::test {

/// A message with the mark of its action.
class Parcel : public Message {
public:
    FERRY_CLASS(ferry::test::Parcel)
    Parcel() = default;
    explicit Parcel(int theMark) : mark(theMark) {}
    void writeToInts(IntWriter& out) const override {
        throwPoint();
        out << mark;
    }
    void readFromInts(IntReader& in) override {
        in >> mark;
        throwPoint();
    }
    friend bool operator==(const Parcel& left, const Parcel& right) { return left.mark == right.mark; }
    int mark = 0;
};

inline Parcel add(const Parcel& left, const Parcel& right) {
    throwPoint();
    return Parcel(left.mark + right.mark);
}

/// Returns the parcels that the ranks have, with marks from `mark` on.
inline std::vector<Parcel> parcelsFrom(int mark, int count) {
    std::vector<Parcel> parcels;
    for (int i = 0; i < count; ++i) parcels.emplace_back(mark + i);
    return parcels;
}

}    // namespace ferry::test
