#include <one/pair.views.hpp>

#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/tests/ferrygen/TwoPairs.hpp>

std::vector<std::int32_t> intsOfFirstPair(int first, int second) {
    const a_b pair(first, second);
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    out << ferry::part<views::First>(pair);
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}
