#pragma once

#include <string>

#include <ferry/serialization/codec/View.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace ferry::test {

/// Reads a part that uses all of the ints.
template <class ViewOfObject, class T>
void readPart(const Ints& ints, T& object) {
    IntReader in(ints);
    in >> part<ViewOfObject>(object);
    in.expectEnd();
}

/// Reads the ints as such a part. Returns the text of the error.
template <class ViewOfObject, class T>
std::string errorOfPart(const Ints& ints) {
    T object{};
    try {
        readPart<ViewOfObject>(ints, object);
    } catch (const SerializationError& error) {
        return error.what();
    }
    return "no error";
}

}    // namespace ferry::test
