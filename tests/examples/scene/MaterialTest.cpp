#include <ferry/examples/scene/Material.hpp>

#include <doctest/doctest.h>

namespace {

using namespace scene;

}    // namespace

TEST_CASE("Chequered: fields take turns, on both sides of zero") {
    Matte white({1, 1, 1});
    Matte black({0, 0, 0});
    const Chequered board(&white, &black, 0.5);
    CHECK(board.surfaceAt({0.1, 0, 0.1}).colour.x == 1);
    CHECK(board.surfaceAt({0.6, 0, 0.1}).colour.x == 0);
    CHECK(board.surfaceAt({0.6, 0, 0.6}).colour.x == 1);
    CHECK(board.surfaceAt({-0.1, 0, 0.1}).colour.x == 0);
}

TEST_CASE("Polished: has the colour of what is below, and a mirror image") {
    Matte red({1, 0, 0});
    const Polished shiny(&red, 0.25);
    CHECK(shiny.surfaceAt({}).colour.x == 1);
    CHECK(shiny.surfaceAt({}).mirror == 0.25);
    CHECK(red.surfaceAt({}).mirror == 0);
}

TEST_CASE("Material: a graph of them comes back with its classes, and what is shared is shared") {
    Matte white({1, 1, 1});
    Matte black({0, 0, 0});
    Polished shiny(&black, 0.5);
    Chequered board(&white, &shiny, 1);
    Chequered nested(&board, &shiny, 2);
    const ferry::Graph<Material> copy = ferry::copyGraph(static_cast<Material*>(&nested));
    const auto& nestedCopy = dynamic_cast<const Chequered&>(*copy.root());
    const auto& boardCopy = dynamic_cast<const Chequered&>(*nestedCopy.even);
    CHECK(nestedCopy.odd == boardCopy.odd);
    CHECK(dynamic_cast<const Polished&>(*boardCopy.odd).mirror == 0.5);
    CHECK(boardCopy.surfaceAt({0.5, 0, 0.5}).colour.x == 1);
    CHECK(boardCopy.surfaceAt({1.5, 0, 0.5}).mirror == 0.5);
}
