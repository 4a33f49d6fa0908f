#pragma once

// Classes of other libraries, for functions of Boost.Serialization.

#include <cstdlib>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <stack>
#include <string>
#include <utility>
#include <valarray>
#include <vector>

namespace herbarium {

enum class Colour : unsigned char { White, Red };

class Leaf {
public:
    explicit Leaf(double length = 0) : length_(length) {}
    double length() const { return length_; }
    bool operator==(const Leaf&) const = default;

private:
    double length_;
    long cache_ = 0;
};

class Label {
public:
    Label() = default;
    explicit Label(std::string text) : text_(std::move(text)) {}
    const std::string& text() const { return text_; }

private:
    std::string text_;
};
class Hidden {
public:
    int hidden() const { return number_; }

protected:
    int number_ = 0;
};

/// A base class with a view, a private one without, owned objects, arrays, bit-fields and containers.
class Plant : public Label, private Hidden {
public:
    Plant() = default;
    Plant(std::string name, int number) : Label(std::move(name)), rows_(2), columns_(static_cast<unsigned>(number)) {
        number_ = number;
        oldest_ = new Leaf(number);
        cells_ = new float[rows_ * columns_]();
        for (unsigned i = 0; i < rows_ * columns_; ++i) cells_[i] = static_cast<float>(i);
        weights_ = static_cast<double*>(std::malloc(2 * sizeof(double)));
        weights_[0] = 0.5;
        weights_[1] = number;
        weightCount_ = 2;
        leaves_ = {Leaf(1), Leaf(2)};
        byName_["first"].emplace_back(3);
        shared_ = again_ = std::make_shared<Leaf>(4);
        grid_[1][2] = 7;
        code = 5;
        colour = Colour::Red;
    }
    Plant(const Plant&) = delete;
    Plant& operator=(const Plant&) = delete;
    ~Plant() {
        delete oldest_;
        delete[] cells_;
        std::free(weights_);
    }
    bool operator==(const Plant& other) const {
        const auto same = [](const auto* a, const auto* b, std::size_t count) {
            if (a == nullptr || b == nullptr) return a == b;
            for (std::size_t i = 0; i < count; ++i)
                if (!(a[i] == b[i])) return false;
            return true;
        };
        return text() == other.text() && hidden() == other.hidden() && rows_ == other.rows_ && columns_ == other.columns_ &&
               same(oldest_, other.oldest_, 1) && same(cells_, other.cells_, rows_ * columns_) && weightCount_ == other.weightCount_ &&
               same(weights_, other.weights_, static_cast<std::size_t>(weightCount_)) && leaves_ == other.leaves_ &&
               byName_ == other.byName_ && same(shared_.get(), other.shared_.get(), 1) &&
               (shared_ == again_) == (other.shared_ == other.again_) && grid_[1][2] == other.grid_[1][2] && code == other.code &&
               colour == other.colour;
    }
    int hidden() const { return Hidden::hidden(); }
    unsigned code : 3 = 0;
    Colour colour : 2 = Colour::White;

private:
    std::size_t rows_ = 0;
    unsigned columns_ = 0;
    Leaf* oldest_ = nullptr;
    float* cells_ = nullptr;
    short weightCount_ = 0;
    double* weights_ = nullptr;
    std::vector<Leaf> leaves_;
    std::map<std::string, std::list<Leaf>> byName_;
    std::shared_ptr<Leaf> shared_, again_;
    int grid_[2][3] = {};
    void* gardener_ = nullptr;
};

/// Containers that are no sequences. The containers of stacks and queues differ.
class Press {
public:
    void fill() {
        sheets_.push(3);
        thin_.push(7);
        names_.push("fern");
        for (const int weight : {4, 9, 2}) weights_.push(weight);
        years_ = {1801, 1802};
        sizes_ = {1.5, 2.5};
    }
    bool isFilled() const {
        return sheets_.size() == 1 && sheets_.top() == 3 && thin_.top() == 7 && names_.front() == "fern" && weights_.size() == 3 &&
               weights_.top() == 9 && years_ == std::forward_list<int>{1801, 1802} && sizes_.size() == 2 && sizes_[1] == 2.5;
    }

private:
    std::stack<int> sheets_;
    std::stack<long, std::vector<long>> thin_;
    std::queue<std::string> names_;
    std::priority_queue<int> weights_;
    std::forward_list<int> years_;
    std::valarray<double> sizes_;
};

/// Objects behind pointers to a base class, and a ring of pointers.
class Shape {
public:
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
class Disc : public Shape {
public:
    explicit Disc(double radius = 0) : radius_(radius) {}
    double area() const override { return 3 * radius_ * radius_; }

private:
    double radius_;
};
class Square : public Shape {
public:
    explicit Square(double side = 0) : side_(side) {}
    double area() const override { return side_ * side_; }

private:
    double side_;
};
class Drawing {
public:
    Drawing() = default;
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;
    ~Drawing() { delete frame_; }
    void setFrame(Shape* frame) { frame_ = frame; }
    void add(std::unique_ptr<Shape> shape) { shapes_.push_back(std::move(shape)); }
    const Shape* frame() const { return frame_; }
    const std::vector<std::unique_ptr<Shape>>& shapes() const { return shapes_; }

private:
    Shape* frame_ = nullptr;
    std::vector<std::unique_ptr<Shape>> shapes_;
};
class Stop {
public:
    explicit Stop(int number = 0) : number_(number) {}
    void link(Stop* next) { next_ = next; }
    Stop* next() const { return next_; }
    int number() const { return number_; }

private:
    int number_;
    Stop* next_ = nullptr;
};

}    // namespace herbarium
