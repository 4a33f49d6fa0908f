// EXPECT fail::Measured
// EXPECT has the functions of a container, an optional or a number, and would travel without its other members: give it FERRY_FIELDS(...)
#include <ferry/serialization/Codec.hpp>

namespace fail {

template <class T>
class Measured {
public:
    using value_type = T;
    bool has_value() const { return isThere_; }
    void reset() { isThere_ = false; }
    void emplace() { isThere_ = true; }
    T& operator*() { return value_; }
    const T& operator*() const { return value_; }

private:
    bool isThere_ = false;
    T value_{};
    T error_{};
};

void write(ferry::IntWriter& out, const Measured<double>& measured) { out << measured; }

}    // namespace fail
