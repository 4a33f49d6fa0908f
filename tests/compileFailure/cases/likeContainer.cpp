// EXPECT fail::Tour
// EXPECT has the functions of a container, an optional or a number, and would travel without its other members: give it FERRY_FIELDS(...)
#include <string>
#include <vector>

#include <ferry/serialization/Codec.hpp>

namespace fail {

class Tour {
public:
    using value_type = int;
    auto begin() const { return stops_.begin(); }
    auto end() const { return stops_.end(); }
    auto begin() { return stops_.begin(); }
    auto end() { return stops_.end(); }
    std::size_t size() const { return stops_.size(); }
    void clear() { stops_.clear(); }
    void push_back(int stop) { stops_.push_back(stop); }
    int& back() { return stops_.back(); }

private:
    std::vector<int> stops_;
    std::string title_;
};

void write(ferry::IntWriter& out, const Tour& tour) { out << tour; }

}    // namespace fail
