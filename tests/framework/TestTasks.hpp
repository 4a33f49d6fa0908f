#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/message/Message.hpp>
#include <ferry/framework/Done.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::tests {

class Product : public Message {
public:
    FERRY_CLASS(ferry::tests::Product)
    FERRY_FIELDS(value, bytes)
    Product() = default;
    explicit Product(long theValue) : value(theValue) {}
    long value = 0;
    std::vector<char> bytes;
};

/// Asks for left * right.
class Multiply : public Message {
public:
    FERRY_CLASS(ferry::tests::Multiply)
    using Reply = Product;
    FERRY_FIELDS(left, right)
    Multiply() = default;
    Multiply(int theLeft, int theRight) : left(theLeft), right(theRight) {}
    int left = 0;
    int right = 0;
};

class Note : public Message {
public:
    FERRY_CLASS(ferry::tests::Note)
    using Reply = Done;
    FERRY_FIELDS(text)
    Note() = default;
    explicit Note(std::string theText) : text(std::move(theText)) {}
    std::string text;
};

/// What a job shares.
struct Table {
    std::vector<int> rows;
    FERRY_FIELDS(rows)
};

class Refused : public Exception {
public:
    FERRY_EXCEPTION(ferry::tests::Refused)
    FERRY_FIELDS(number)
    Refused() = default;
    explicit Refused(int theNumber) : Exception("this number is refused"), number(theNumber) {}
    int number = 0;
};

} // namespace ferry::tests
