#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>
#include <ferry/apps/timetabling/sectioning/model/rules.hpp>
#include <ferry/apps/timetabling/sectioning/search/Sections.hpp>

namespace timetabling::sectioning {

/// The violations and the cost of a timetable, or of a change of it.
struct Toll {
    std::int64_t hard = 0;    ///< violations of hard constraints
    std::int64_t soft = 0;    ///< the cost with its weights

    Toll& operator+=(const Toll& other) {
        hard += other.hard;
        soft += other.soft;
        return *this;
    }
    friend Toll operator-(const Toll& one, const Toll& other) { return {one.hard - other.hard, one.soft - other.soft}; }
    auto operator<=>(const Toll&) const = default;
};

/// The time and the room of a class, as indices into its options. room is 0 for a class that needs no room.
struct Choice {
    int time = -1;    ///< -1: the class is not placed
    int room = 0;

    bool operator==(const Choice&) const = default;
};

/// A timetable during a search. Knows what each change costs before it is made.
///
/// Ownership: refers to the problem.
class SearchState {
public:
    /// No class is placed yet.
    SearchState(const Problem& problem, Random& random);
    /// Slots that have passed checkSlots().
    SearchState(const Problem& problem, const Slots& slots, Random& random);

    const Toll& total() const { return total_; }
    const Choice& choiceOf(int index) const { return choices_[static_cast<std::size_t>(index)]; }
    const Sections& sections() const { return sections_; }

    /// The violations and the cost that the class causes where it is.
    Toll tollOf(int index);
    /// The violations and the cost that the class would cause in another place. A class without a place is a violation.
    Toll tollAt(int index, const Choice& choice);
    /// Whether the room is open and free of other classes at the time.
    bool isFree(int index, const Choice& choice) const;
    /// Puts the class there. 'difference' is tollAt() of the new choice less tollOf() of the present one.
    void move(int index, const Choice& choice, const Toll& difference);

    /// The difference that it makes when the request gets these classes.
    Toll tollOfSection(int request, std::span<const int> section);
    void changeSection(int request, std::span<const int> section, const Toll& difference);
    /// Lets two requests for the same course, of different students, exchange their classes. Returns what that costs.
    Toll tollOfExchange(int one, int other);
    void exchangeSections(int one, int other, const Toll& difference);

    /// Counts everything anew.
    Toll counted() const;
    Slots slots() const;
    Individual individual() const { return {slots(), total_.hard, total_.soft}; }

private:
    Place placeOf(int index, const Choice& choice) const;
    Toll tollOfDistribution(int distribution, int index, bool isPresent) const;
    std::int64_t conflictsOf(std::span<const int> section, const std::vector<int>& others) const;
    Toll tollIn(int index, const Choice& choice);
    bool conflict(int one, int other) const;
    void forgetAround(int index);
    void forgetSection(int request, std::span<const int> section);
    void noteRoom(int index, bool isThere);

    const Problem& problem_;
    Sections sections_;
    std::vector<Choice> choices_;
    std::vector<Place> places_;
    std::vector<std::vector<int>> classesOfRoom_;    ///< the classes that are placed there
    std::vector<std::int64_t> violations_;           ///< of the distributions that compare no pairs
    std::vector<Toll> tolls_;                        ///< of each class where it is, as far as known
    std::vector<bool> isKnown_;                      ///< indexed by class
    Toll total_;
    std::vector<int> others_;    ///< working memory
};

}    // namespace timetabling::sectioning
