// EXPECT fail::Course
// EXPECT a std::string_view can be written, but nobody would keep the text that is read into one: make it a std::string
#include <string_view>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Course {
    int hours;
    std::string_view title;
};

void read(ferry::IntReader& in, Course& course) { in >> course; }

}    // namespace fail
