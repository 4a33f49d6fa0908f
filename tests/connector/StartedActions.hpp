#pragma once

#include <functional>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// One rank's part in started collectives, several of them under way at once. All ranks start them together.
///
/// Errors: exceptions of throw points and of the connector.
class StartedActions {
public:
    using Expect = std::function<void(bool isRight, const char* what)>;

    /// All ranks pass the same mark and root.
    StartedActions(Connector& connector, int mark, int root, Expect expect)
        : c_(connector),
          mark_(mark),
          root_(root),
          expect_(std::move(expect)) {}

    void takeInOrder();
    /// Takes the values in another order, the last one first, with blocking collectives in between.
    void takeInDisorder();
    /// Some ranks drop their values.
    void dropSome();
    void exchangeWithNeighbours();

private:
    Connector& c_;
    int mark_;
    int root_;
    Expect expect_;
};

}    // namespace ferry::test
