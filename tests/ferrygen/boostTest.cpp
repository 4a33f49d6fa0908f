// The functions for Boost.Serialization that ferrygen writes, there and back through archives of text.
#include <herbarium.boost.hpp>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>
#include <boost/archive/text_iarchive.hpp>
#include <boost/archive/text_oarchive.hpp>

using namespace herbarium;

namespace {

template <class T>
std::string savedText(const T& object) {
    std::ostringstream out;
    boost::archive::text_oarchive archive(out);
    archive << object;
    return out.str();
}

template <class T>
void loadText(const std::string& text, T& object) {
    std::istringstream in(text);
    boost::archive::text_iarchive archive(in);
    archive >> object;
}

}    // namespace

TEST_CASE("Boost: private members, bases, containers, arrays and owned objects go there and back") {
    const Plant plant("fern", 3);
    Plant loaded("moss", 1);    // the former objects are given back
    loadText(savedText(plant), loaded);
    CHECK(loaded == plant);
    CHECK(loaded.hidden() == 3);
    const Plant empty;
    loadText(savedText(empty), loaded);
    CHECK(loaded == empty);
}

TEST_CASE("Boost: stacks, queues and other containers go there and back") {
    Press press, loaded;
    press.fill();
    loadText(savedText(press), loaded);
    CHECK(loaded.isFilled());
}

TEST_CASE("Boost: objects behind pointers to a base class keep their class") {
    Drawing drawing;
    drawing.setFrame(new Square(2));
    drawing.add(std::make_unique<Disc>(1));
    drawing.add(nullptr);
    drawing.add(std::make_unique<Square>(3));
    Drawing loaded;
    loadText(savedText(drawing), loaded);
    CHECK(loaded.frame()->area() == 4);
    REQUIRE(loaded.shapes().size() == 3);
    CHECK(loaded.shapes()[0]->area() == 3);
    CHECK(loaded.shapes()[1] == nullptr);
    CHECK(dynamic_cast<const Square*>(loaded.shapes()[2].get()) != nullptr);
}

TEST_CASE("Boost: a ring of pointers stays a ring") {
    Stop first(1), second(2);
    first.link(&second);
    second.link(&first);
    Stop loaded;
    loadText(savedText(first), loaded);
    const std::unique_ptr<Stop> other(loaded.next());
    CHECK(other->number() == 2);
    CHECK(other->next() == &loaded);
}

TEST_CASE("Boost: a length that is no number of elements is refused") {
    const Plant plant("fern", 3);
    std::string text = savedText(plant);
    const std::size_t place = text.find(" 2 1 5.0");    // the length of the weights, and that the array is there
    REQUIRE(place != std::string::npos);
    text.replace(place, 2, " -2");
    Plant loaded;
    CHECK_THROWS_AS(loadText(text, loaded), std::length_error);
}
