// EXPECT fail::Series<int>
// EXPECT has the functions of a container, an optional or a number, and would travel without its other members: give it FERRY_FIELDS(...)
#include <string>
#include <vector>

#include <ferry/serialization/Codec.hpp>

namespace fail {

template <class T>
class Series {
public:
    using value_type = T;
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }
    auto begin() { return values_.begin(); }
    auto end() { return values_.end(); }
    std::size_t size() const { return values_.size(); }
    void clear() { values_.clear(); }
    void push_back(T value) { values_.push_back(value); }
    T& back() { return values_.back(); }

private:
    std::vector<T> values_;
    std::string unit_;
};

void write(ferry::IntWriter& out, const Series<int>& series) { out << series; }

}    // namespace fail
