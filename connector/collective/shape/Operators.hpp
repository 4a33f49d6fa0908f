#pragma once

namespace ferry {

// Operators for reduce, allReduce and scan. Any function object that takes two values and returns one will do. The operator need not
// commute, since values are combined in the order of ranks.

/// Adds values.
struct Sum {
    template <class T>
    auto operator()(const T& left, const T& right) const -> decltype(left + right) {
        return left + right;
    }
};

/// Multiplies values.
struct Product {
    template <class T>
    auto operator()(const T& left, const T& right) const -> decltype(left * right) {
        return left * right;
    }
};

/// Takes the smallest value, the first one of equal values.
struct Min {
    template <class T>
        requires requires(const T& one, const T& other) { one < other; }
    T operator()(const T& left, const T& right) const { return right < left ? right : left; }
};

/// Takes the greatest value, the first one of equal values.
struct Max {
    template <class T>
        requires requires(const T& one, const T& other) { one < other; }
    T operator()(const T& left, const T& right) const { return left < right ? right : left; }
};

/// Tells whether all values are true. A number is true when it is not 0.
struct And {
    template <class T>
    auto operator()(const T& left, const T& right) const -> decltype(left && right) {
        return left && right;
    }
};

/// Tells whether any value is true. A number is true when it is not 0.
struct Or {
    template <class T>
    auto operator()(const T& left, const T& right) const -> decltype(left || right) {
        return left || right;
    }
};

}    // namespace ferry
