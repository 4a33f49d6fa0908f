#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ferry/device.hpp>
#include <ferry/device/failure/SiteRecorder.hpp>

// The two scenarios of "Assessing Performance Implications of Deep Copy Operations via Microbenchmarking" (Ghane, Chandrasekaran, Cheung).
// The paper generates a file for each structure. Here the level is a template parameter.

namespace ferry::bench {

/// The linear scenario: a chain of structures, each with an array.
struct Linear {
    int arrayCount = 0;
    int nextCount = 0;
    double* array = nullptr;
    Linear* next = nullptr;
    FERRY_FIELDS(nextCount, ferry::arrayOf(array, arrayCount), next)
};

/// The spine of the chain, without arrays.
struct LinearSpine : View<&Linear::arrayCount, &Linear::nextCount, inside<&Linear::next, LinearSpine>> {};
struct LinearEnd : View<counted<CountedBy<&Linear::arrayCount>, ArrayAt<&Linear::array>>, &Linear::nextCount> {};
/// The chain down to level Levels, and the array of that level alone.
template <int Levels>
struct LinearPath : View<&Linear::nextCount, inside<&Linear::next, LinearPath<Levels - 1>>> {};
template <>
struct LinearPath<1> : LinearEnd {};

/// Owns a chain of k levels with arrays of n elements.
class LinearChain {
public:
    /// hasAllArrays: false for the layout in which only the last level has an array.
    LinearChain(std::size_t levels, std::size_t n, bool hasAllArrays) : nodes_(levels), arrays_(levels) {
        for (std::size_t level = 0; level < levels; ++level) {
            Linear& node = nodes_[level];
            const bool isLast = level + 1 == levels;
            if (hasAllArrays || isLast) {
                arrays_[level] = std::make_unique<double[]>(n);
                node.array = arrays_[level].get();
                node.arrayCount = static_cast<int>(n);
                for (std::size_t i = 0; i < n; ++i) node.array[i] = static_cast<double>(level + 1);
            }
            node.nextCount = isLast ? 0 : 1;
            node.next = isLast ? nullptr : &nodes_[level + 1];
        }
    }

    Linear& root() noexcept { return nodes_.front(); }
    std::vector<Linear>& nodes() noexcept { return nodes_; }

private:
    std::vector<Linear> nodes_;
    std::vector<std::unique_ptr<double[]>> arrays_;
};

/// Equation 1 of the paper, with all arrays, and equation 2, with the last one alone.
constexpr std::size_t linearBytes(std::size_t levels, std::size_t n, bool hasAllArrays, std::size_t structBytes = sizeof(Linear)) {
    return structBytes * levels + sizeof(double) * n * (hasAllArrays ? levels : 1);
}

/// The dense scenario: a tree of depth D whose structures each have an array and q children. The last level has no children.
template <int Depth>
struct Dense {
    int arrayCount = 0;
    int childCount = 0;
    double* array = nullptr;
    Dense<Depth - 1>* children = nullptr;
    FERRY_FIELDS(ferry::arrayOf(array, arrayCount), ferry::arrayOf(children, childCount))
};
template <>
struct Dense<0> {
    int arrayCount = 0;
    double* array = nullptr;
    FERRY_FIELDS(ferry::arrayOf(array, arrayCount))
};

/// The kernel of the linear scenario: scales element i of each array.
FERRY_ANYWHERE inline void scaleItem(Linear* root, std::size_t i, double factor) {
    for (Linear* node = root; node != nullptr; node = node->next) {
        if (node->array != nullptr) node->array[i] *= factor;
    }
}
/// The kernel of the dense scenario, listing 2 of the paper: scales element i in the array of the last structure of each level.
FERRY_ANYWHERE inline void scaleItem(Dense<3>* root, std::size_t i, double factor) {
    auto& second = root->children[root->childCount - 1];
    auto& third = second.children[second.childCount - 1];
    auto& last = third.children[third.childCount - 1];
    root->array[i] *= factor;
    second.array[i] *= factor;
    third.array[i] *= factor;
    last.array[i] *= factor;
}

template <int D>
double sumOf(const Dense<D>& node) {
    double sum = 0;
    for (int i = 0; i < node.arrayCount; ++i) sum += node.array[i];
    if constexpr (D > 0) {
        for (int i = 0; i < node.childCount; ++i) sum += sumOf(node.children[i]);
    }
    return sum;
}

/// Owns the memory of a dense tree.
class DenseTree {
public:
    static constexpr int Depth = 3;
    using Root = Dense<Depth>;

    DenseTree(std::size_t q, std::size_t n) : q_(q), n_(n) { fill(root_); }

    Root& root() noexcept { return root_; }

private:
    template <int D>
    void fill(Dense<D>& node) {
        node.arrayCount = static_cast<int>(n_);
        arrays_.push_back(std::make_unique<double[]>(n_));
        node.array = arrays_.back().get();
        for (std::size_t i = 0; i < n_; ++i) node.array[i] = 1;
        if constexpr (D > 0) {
            node.childCount = static_cast<int>(q_);
            auto children = std::make_shared<std::vector<Dense<D - 1>>>(q_);
            node.children = children->data();
            children_.push_back(children);
            for (Dense<D - 1>& child : *children) fill(child);
        }
    }

    std::size_t q_;
    std::size_t n_;
    Root root_;
    std::vector<std::unique_ptr<double[]>> arrays_;
    std::vector<std::shared_ptr<void>> children_;
};

/// Equation 3 of the paper: S(q, n, D) = inner + 8n + q S(q, n, D - 1), and S(q, n, 0) = leaf + 8n.
constexpr std::size_t denseBytes(std::size_t q, std::size_t n, int depth, std::size_t inner = sizeof(Dense<1>),
                                 std::size_t leaf = sizeof(Dense<0>)) {
    if (depth == 0) return leaf + sizeof(double) * n;
    return inner + sizeof(double) * n + q * denseBytes(q, n, depth - 1, inner, leaf);
}

}    // namespace ferry::bench
