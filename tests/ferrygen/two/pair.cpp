#include <two/pair.views.hpp>

#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/tests/ferrygen/TwoPairs.hpp>

std::vector<std::int32_t> intsOfSecondPair(int first, int second) {
    const a::b pair(first, second);
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    out << ferry::part<views::FirstOfOther>(pair);
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}
