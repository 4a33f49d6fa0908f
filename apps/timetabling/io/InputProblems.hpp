#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

/// Collects everything that is wrong with several files, so that a user can mend all of it at once.
///
/// Errors: when there are too many errors, attempt() throws all of them, since a file of another kind has an error in each line.
class InputProblems {
public:
    static constexpr std::size_t mostErrors = 100;

    /// Runs the function. Keeps its InputError. Returns whether there was none.
    template <class Function>
    bool attempt(const Function& function) {
        try {
            function();
            return true;
        } catch (const InputError& error) {
            add(error);
            return false;
        }
    }
    void add(const InputError& error);
    /// Throws an InputError with one line for each error, if there are errors.
    void throwIfAny() const;

    std::size_t count() const { return lines_.size(); }

private:
    std::vector<std::string> lines_;
    bool isFull_ = false;
};

}    // namespace timetabling
