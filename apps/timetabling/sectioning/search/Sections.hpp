#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>

namespace timetabling::sectioning {

/// Two classes have students in common.
struct SharedStudents {
    int other = 0;    ///< a class
    int count = 0;
};

/// The division of the students among the classes of their courses.
///
/// Ownership: refers to the problem.
class Sections {
public:
    /// Divides the students class by class: students with similar courses come into the same classes. No limit is exceeded unless the
    /// parents of the classes make that hard.
    Sections(const Problem& problem, Random& random);
    /// Takes the entries of slots that passed checkSlots(). Requests without classes get some.
    Sections(const Problem& problem, const Slots& slots, Random& random);

    /// Whether the request has its classes. Only a course whose parents allow no section leaves requests without.
    bool hasSection(int request) const;
    /// The number of requests without classes, which does not change.
    std::int64_t missing() const;
    /// The classes of a request that has them, in the order of the subparts of their configuration.
    std::span<const int> sectionOf(int request) const;
    /// The classes of the student that belong to other requests than this one.
    void classesBeside(int request, std::vector<int>& classes) const;
    const std::vector<SharedStudents>& sharedWith(int index) const { return shared_[static_cast<std::size_t>(index)]; }
    /// The number of students above the limits, summed over all classes.
    std::int64_t excess() const { return excess_; }
    /// By how much the excess grows when the student of a request leaves the first classes for the second ones.
    std::int64_t excessOfChange(std::span<const int> from, std::span<const int> to) const;

    /// Draws other classes for the request, near the present ones. Returns false when none was found.
    bool drawSection(int request, Random& random, std::vector<int>& section) const;
    void change(int request, std::span<const int> section);

    /// Writes the entries behind the slots of the classes.
    void writeTo(Slots& slots) const;

private:
    void fill(int request, Random& random);
    bool complete(int config, std::vector<int>& section, std::span<const int> wanted, Random& random) const;
    int freeSeats(int index) const;
    void write(int request, std::span<const int> section);
    void enrol(std::span<const int> section, int sign);
    void shareAll();
    void share(int one, int other, int sign);

    const Problem& problem_;
    std::vector<int> entries_;         ///< laid out as in the slots
    std::vector<int> firstRequest_;    ///< indexed by student, and one more
    std::vector<int> enrolled_;        ///< indexed by class
    std::vector<std::vector<SharedStudents>> shared_;
    std::int64_t excess_ = 0;
};

}    // namespace timetabling::sectioning
