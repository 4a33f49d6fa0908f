#pragma once

// Classes of other libraries, which know nothing of Ferry. Each class shows one difficulty for a view.

#include <array>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zoo {

/// Members with every access and of every simple kind.
class Access {
public:
    Access() = default;
    Access(int number, std::string text) : open(number), protected_(number + 1), private_(number + 2), text_(std::move(text)) {
        for (int& cell : grid_) cell = number++;
        flags_[1][2] = true;
    }
    bool operator==(const Access&) const = default;
    static int live;
    int open = 0;
    mutable long counted = 0;

protected:
    short protected_ = 0;

private:
    static int hiddenLive_;
    double private_ = 0;
    std::string text_;
    int grid_[5] = {};
    bool flags_[2][3] = {};
};

/// One name in two bases; private and virtual bases.
class Left {
public:
    explicit Left(int value = 0) : hidden_(value) {}
    int left() const { return hidden_; }

private:
    int hidden_;
};
class Right {
public:
    explicit Right(int value = 0) : hidden_(value) {}
    int right() const { return hidden_; }

private:
    int hidden_;
};
class Root {
public:
    virtual ~Root() = default;
    int root() const { return root_; }

protected:
    int root_ = 0;
};
class Heir : public Left, private Right, private virtual Root {
public:
    Heir() = default;
    Heir(int left, int right, int root, int own) : Left(left), Right(right), own_(own) { root_ = root; }
    bool operator==(const Heir& other) const {
        return left() == other.left() && right() == other.right() && root() == other.root() && own_ == other.own_;
    }

private:
    int own_ = 0;
};

/// Types that code outside cannot name.
class Owner {
    enum class Mood { Calm, Wild };
    class Secret {
    public:
        Secret() = default;
        explicit Secret(int value) : value_(value), open(value / 2.0) {}
        bool operator==(const Secret&) const = default;

    private:
        int value_ = 0;

    public:
        double open = 0;
    };

public:
    Owner() = default;
    explicit Owner(int value) : mood_(Mood::Wild), one_(value), many_(3, Secret(value + 1)), held_(std::make_unique<Secret>(value + 2)) {
        raw_ = new Secret(value + 3);
        point_.x = value;
        point_.y = -value;
        pair_[1] = Secret(value + 4);
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
    ~Owner() { delete raw_; }
    bool operator==(const Owner& other) const {
        return mood_ == other.mood_ && one_ == other.one_ && many_ == other.many_ && same(held_.get(), other.held_.get()) &&
               same(raw_, other.raw_) && point_.x == other.point_.x && point_.y == other.point_.y && pair_[1] == other.pair_[1];
    }

private:
    static bool same(const Secret* a, const Secret* b) { return (a == nullptr) == (b == nullptr) && (a == nullptr || *a == *b); }

    Mood mood_ = Mood::Calm;
    Secret one_;
    std::vector<Secret> many_;
    std::unique_ptr<Secret> held_;
    Secret* raw_ = nullptr;
    Secret pair_[2];
    struct {
        int x = 0, y = 0;
    } point_;
};

/// Instances of a template.
template <class T>
class Box {
public:
    Box() = default;
    explicit Box(T value) : value_(std::move(value)) {}
    const T& value() const { return value_; }
    int marks = 0;

private:
    T value_{};
};

/// A union, and bit fields.
class Hidden {
public:
    explicit Hidden(int number = 0) : number_(number) {}
    int number() const { return number_; }

private:
    union {
        int number_;
        float part_;
    };
};
struct Variant {
    bool isWhole = true;
    union {
        long whole = 0;
        double fraction;
    };
};
enum class Colour : unsigned char { Red, Green, Blue };
struct Flags {
    unsigned mode : 3;
    int level : 5;
    Colour colour : 2;
    unsigned : 0;
    int plain = 0;
};

/// A C struct: pointers to arrays, and their lengths beside them.
typedef struct CSeries {
    int count;
    double* samples;
    float* weights;
    char name[8];
} CSeries;

/// A C struct with memory from malloc.
typedef struct CPoint {
    float x, y;
} CPoint;
typedef struct CCloud {
    unsigned short count;
    CPoint* points;
    const double* weights;
} CCloud;

class Matrix {
public:
    Matrix() = default;
    Matrix(std::size_t rows, unsigned columns) : rows_(rows), columns_(columns), cells_(new double[rows * columns]()) {}
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    ~Matrix() { delete[] cells_; }
    std::size_t rows() const { return rows_; }
    unsigned columns() const { return columns_; }
    double& at(std::size_t row, unsigned column) const { return cells_[row * columns_ + column]; }

private:
    std::size_t rows_ = 0;
    unsigned columns_ = 0;
    double* cells_ = nullptr;
};

/// An array of objects. Only a part of each object travels.
class Herd {
public:
    explicit Herd(short size = 0) : size_(size), animals_(std::make_unique<Access[]>(static_cast<std::size_t>(size))) {}
    short size() const { return size_; }
    Access& animal(int index) const { return animals_[static_cast<std::size_t>(index)]; }

private:
    short size_;
    std::unique_ptr<Access[]> animals_;
};

/// Objects behind pointers to a base class.
class Shape {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
    std::string label;
};
class Circle : public Shape {
public:
    explicit Circle(double radius = 0) : radius_(radius) {}
    double area() const override { return 3 * radius_ * radius_; }

private:
    double radius_;
};
class Ring : public Circle {
public:
    explicit Ring(double radius = 0, double hole = 0) : Circle(radius), hole_(hole) {}
    double area() const override { return Circle::area() - 3 * hole_ * hole_; }

private:
    double hole_;
};
class Unlisted : public Shape {
public:
    double area() const override { return 1; }
};
class Picture {
public:
    Picture() = default;
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    ~Picture() { delete owned_; }
    void setFrame(std::unique_ptr<Shape> frame) { frame_ = std::move(frame); }
    void setOwned(Shape* shape) { owned_ = shape; }
    void add(std::shared_ptr<Shape> shape) { shapes_.push_back(std::move(shape)); }
    const Shape* frame() const { return frame_.get(); }
    const Shape* owned() const { return owned_; }
    const std::vector<std::shared_ptr<Shape>>& shapes() const { return shapes_; }

private:
    std::unique_ptr<Shape> frame_;
    Shape* owned_ = nullptr;
    std::vector<std::shared_ptr<Shape>> shapes_;
};

/// Containers of every kind with classes as elements.
class Cage {
public:
    Cage() = default;
    explicit Cage(int number) : number_(number) {}
    int number() const { return number_; }
    bool operator==(const Cage&) const = default;

private:
    int number_ = 0;
    void* keeper_ = nullptr;
};
struct Park {
    std::map<std::string, Cage> byName;
    std::list<std::vector<Cage>> rows;
    std::array<Cage, 2> gates;
    std::optional<Cage> office;
    std::shared_ptr<Cage> first, second;
};

/// Non-owning pointers in circles.
class Station {
public:
    explicit Station(int number = 0) : number_(number) {}
    void link(Station* next) { next_ = next; }
    Station* next() const { return next_; }
    int number() const { return number_; }
    int cache = 0;

private:
    int number_;
    Station* next_ = nullptr;
};

}    // namespace zoo
