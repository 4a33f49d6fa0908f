#pragma once

#include <functional>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// One rank's part in collectives that are started together with the other ranks, several under way at once.
///
/// Errors: what throw points and the connector throw.
class StartedActions {
public:
    using Expect = std::function<void(bool isRight, const char* what)>;

    /// All ranks with the same mark and root.
    StartedActions(Connector& connector, int mark, int root, Expect expect)
        : c_(connector),
          mark_(mark),
          root_(root),
          expect_(std::move(expect)) {}

    void takeInOrder();
    /// With blocking ones between, and the last first.
    void takeInDisorder();
    /// Some ranks want no value.
    void dropSome();
    void exchangeWithNeighbours();

private:
    Connector& c_;
    int mark_;
    int root_;
    Expect expect_;
};

}    // namespace ferry::test
