#pragma once

#include <string>

#include <ferry/ferry.hpp>

/// Less is there than was asked for.
class Shortage : public ferry::Exception {
public:
    FERRY_EXCEPTION_DECLARED(Shortage)
    FERRY_FIELDS(missing)
    Shortage() = default;
    explicit Shortage(int count) : Exception("not enough in the till"), missing(count) {}
    int missing = 0;
};

/// Errors: Shortage.
long pay(int coins);
