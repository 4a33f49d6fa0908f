#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

// Classes with bases of every kind, for messages that name wrong classes.

namespace ferry::test {

/// The interface that checks use for objects that hold other objects. Nothing of it travels.
class Visited {
public:
    virtual ~Visited() = default;
    virtual bool isWhole() const { return true; }
    virtual void visit(const std::function<void(const IntSerializableObject&)>& /*check*/) const {}
};

class Shape : public IntSerializableObject {
public:
    virtual int area() const = 0;
};

class Circle : public Shape {
public:
    FERRY_CLASS(ferry::test::Circle)
    FERRY_FIELDS(radius)
    int area() const override { return 3; }
    int radius = 2;
};

class Label : public Shape {
public:
    FERRY_CLASS(ferry::test::Label)
    FERRY_FIELDS(text)
    int area() const override { return 0; }
    std::string text = "label";
};

/// A second base class. Its part is at another place in the object.
struct Rounded {
    virtual ~Rounded() = default;
    double curvature = 0.5;
};

class RoundLabel : public Rounded, public Label {
public:
    FERRY_CLASS(ferry::test::RoundLabel)
    FERRY_FIELDS_AFTER(Label, curvature)
};

class Group : public Shape, public Visited {
public:
    FERRY_CLASS(ferry::test::Group)
    FERRY_FIELDS(members)
    int area() const override { return 1; }
    void visit(const std::function<void(const IntSerializableObject&)>& check) const override {
        for (const auto& member : members)
            if (member) check(*member);
    }
    std::vector<std::unique_ptr<Shape>> members;
};

/// A class that refuses some data.
class Picky : public Shape, public Visited {
public:
    FERRY_CLASS(ferry::test::Picky)
    void writeToInts(IntWriter& out) const override { out << number << text; }
    void readFromInts(IntReader& in) override {
        in >> number;
        if (number != 7 && number != 8) throw SerializationError("expected 7 or 8");
        in >> text;
        if (text.size() > 5) throw SerializationError("expected a short text");
        isChecked_ = true;
    }
    int area() const override { return number; }
    bool isWhole() const override { return isChecked_; }
    int number = 7;
    std::string text = "short";

private:
    bool isChecked_ = false;
};

struct Swimmer : virtual IntSerializableObject {
    int strokes = 3;
};
struct Walker : virtual IntSerializableObject {
    int legs = 4;
};
class Both : public Swimmer, public Walker {
public:
    FERRY_CLASS(ferry::test::Both)
    FERRY_FIELDS(strokes, legs)
};

class Animal : public IntSerializableObject {
public:
    FERRY_CLASS(ferry::test::Animal)
    FERRY_FIELDS_VERSIONED(1, legs)
    int legs = 4;
};
class NewDog : public Animal {
public:
    FERRY_CLASS(ferry::test::NewDog)
    FERRY_FIELDS_VERSIONED_AFTER(2, Animal, name, tricks)
    std::string name = "Rex, who is no small dog";
    std::vector<std::string> tricks;
};

class Node : public IntSerializableObject, public Visited {
public:
    FERRY_CLASS(ferry::test::Node)
    FERRY_FIELDS(next, back, shape)
    void visit(const std::function<void(const IntSerializableObject&)>& check) const override {
        if (const auto behind = back.lock()) static_cast<void>(behind->className());
        if (shape) check(*shape);
    }
    std::shared_ptr<Node> next;
    std::weak_ptr<Node> back;
    std::unique_ptr<Shape> shape;
};
class BigNode : public Node {
public:
    FERRY_CLASS(ferry::test::BigNode)
    FERRY_FIELDS_AFTER(Node, more)
    std::vector<std::shared_ptr<Node>> more;
};

class Collection : public IntSerializableObject, public Visited {
public:
    FERRY_CLASS(ferry::test::Collection)
    FERRY_FIELDS(nodes, named, swimmer, weak, anything)
    void visit(const std::function<void(const IntSerializableObject&)>& check) const override {
        for (const auto& node : nodes)
            if (node) check(*node);
        if (named) check(*named);
        if (swimmer) check(*swimmer);
        if (anything) check(*anything);
    }
    std::vector<std::shared_ptr<Node>> nodes;
    std::shared_ptr<Walker> named;
    std::shared_ptr<Swimmer> swimmer;
    std::weak_ptr<Shape> weak;
    std::shared_ptr<IntSerializableObject> anything;
};

}    // namespace ferry::test
