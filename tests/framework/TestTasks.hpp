#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/framework/slave/Done.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

/// Says that the process of its thrower is spoiled.
class Spoiled : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::Spoiled)
    Spoiled() = default;
    explicit Spoiled(const std::string& text) : Exception(text) {}
    bool costsProcess() const noexcept override { return !isRemote(); }
};

class Multiplied : public Message {
public:
    FERRY_CLASS(ferry::test::Multiplied)
    FERRY_FIELDS(value, bytes)
    Multiplied() = default;
    explicit Multiplied(long theValue) : value(theValue) {}
    long value = 0;
    std::vector<char> bytes;
};

/// Asks for the product left * right.
class Multiply : public Message {
public:
    FERRY_CLASS(ferry::test::Multiply)
    using Reply = Multiplied;
    FERRY_FIELDS(left, right)
    Multiply() = default;
    Multiply(int theLeft, int theRight) : left(theLeft), right(theRight) {}
    int left = 0;
    int right = 0;
};

/// A reply that cannot be written when its number is 2, and cannot be read when it is 4.
class BrittleReply : public Message {
public:
    FERRY_CLASS(ferry::test::BrittleReply)
    BrittleReply() = default;
    explicit BrittleReply(int theNumber) : number(theNumber) {}
    void writeToInts(IntWriter& out) const override {
        if (number == 2) throw std::domain_error("2 cannot be written");
        out << number;
    }
    void readFromInts(IntReader& in) override {
        in >> number;
        if (number == 4) throw std::domain_error("4 cannot be read");
    }
    int number = 0;
};

/// A task that cannot be read when its number is 3, and cannot be written when it is 5.
class Brittle : public Message {
public:
    FERRY_CLASS(ferry::test::Brittle)
    using Reply = BrittleReply;
    Brittle() = default;
    explicit Brittle(int theNumber) : number(theNumber) {}
    void writeToInts(IntWriter& out) const override {
        if (number == 5) throw std::domain_error("5 cannot be written");
        out << number;
    }
    void readFromInts(IntReader& in) override {
        in >> number;
        if (number == 3) throw std::domain_error("3 cannot be read");
    }
    int number = 0;
};

class Note : public Message {
public:
    FERRY_CLASS(ferry::test::Note)
    using Reply = Done;
    FERRY_FIELDS(text)
    Note() = default;
    explicit Note(std::string theText) : text(std::move(theText)) {}
    std::string text;
};

/// The object that a job shares.
struct Table {
    std::vector<int> rows;
    FERRY_FIELDS(rows)
};

class Refused : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::Refused)
    FERRY_FIELDS(number)
    Refused() = default;
    explicit Refused(int theNumber) : Exception("this number is refused"), number(theNumber) {}
    int number = 0;
};

}    // namespace ferry::test
