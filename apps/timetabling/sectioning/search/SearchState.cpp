#include <ferry/apps/timetabling/sectioning/search/SearchState.hpp>

#include <algorithm>
#include <utility>

#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>
#include <ferry/apps/timetabling/sectioning/model/at.hpp>

namespace timetabling::sectioning {

SearchState::SearchState(const Problem& problem, Random& random) : SearchState(problem, Slots(), random) {}

SearchState::SearchState(const Problem& problem, const Slots& slots, Random& random)
    : problem_(problem),
      sections_(problem, slots, random),
      choices_(at(problem.classCount())),
      places_(at(problem.classCount())),
      classesOfRoom_(problem.instance().rooms.size()),
      violations_(problem.instance().distributions.size(), 0),
      tolls_(at(problem.classCount())),
      isKnown_(at(problem.classCount()), false) {
    if (!slots.empty()) {
        for (int i = 0; i < problem.classCount(); ++i) {
            const int roomCount = std::max(1, static_cast<int>(problem.classAt(i).rooms.size()));
            const int slot = slots[at(i)];
            if (slot < 0) continue;
            choices_[at(i)] = {slot / roomCount, slot % roomCount};
            places_[at(i)] = placeOf(i, choices_[at(i)]);
            noteRoom(i, true);
        }
    }
    for (std::size_t i = 0; i < violations_.size(); ++i) {
        const Distribution& distribution = problem.instance().distributions[i];
        if (!comparesPairs(distribution.type)) violations_[i] = violationOf(problem, distribution, places_);
    }
    total_ = counted();
}

Place SearchState::placeOf(int index, const Choice& choice) const {
    Place place;
    if (choice.time < 0) return place;
    const Class& one = problem_.classAt(index);
    place.isPlaced = true;
    place.span = one.times[at(choice.time)].span;
    if (one.needsRoom) place.room = one.rooms[at(choice.room)].room;
    return place;
}

void SearchState::noteRoom(int index, bool isThere) {
    const Place& place = places_[at(index)];
    if (!place.isPlaced || place.room < 0) return;
    std::vector<int>& classes = classesOfRoom_[at(place.room)];
    if (isThere) {
        classes.push_back(index);
    } else {
        *std::find(classes.begin(), classes.end(), index) = classes.back();
        classes.pop_back();
    }
}

bool SearchState::conflict(int one, int other) const {
    const Place& first = places_[at(one)];
    const Place& second = places_[at(other)];
    return first.isPlaced && second.isPlaced && excludeEachOther(problem_, first, second);
}

/// The violations and the cost of the distribution that the member causes where it is.
Toll SearchState::tollOfDistribution(int index, int member, bool isPresent) const {
    const Distribution& distribution = problem_.distribution(index);
    std::int64_t violation = 0;
    if (comparesPairs(distribution.type)) {
        bool isFirst = false;
        const Place& place = places_[at(member)];
        for (const int other : distribution.classes) {
            if (other == member) {
                isFirst = true;
                continue;
            }
            const Place& there = places_[at(other)];
            if (!there.isPlaced) continue;
            const bool isKept = isFirst ? keeps(problem_, distribution, place, there) : keeps(problem_, distribution, there, place);
            violation += isKept ? 0 : 1;
        }
    } else {
        violation = isPresent ? violations_[at(index)] : violationOf(problem_, distribution, places_);
    }
    if (distribution.isRequired) return {violation, 0};
    return {0, costOf(problem_, distribution, violation) * problem_.instance().weights.distribution};
}

/// Most moves of a search are not made, so the tolls of the present places are known most of the time.
Toll SearchState::tollOf(int index) {
    if (!isKnown_[at(index)]) {
        tolls_[at(index)] = tollIn(index, choices_[at(index)]);
        isKnown_[at(index)] = true;
    }
    return tolls_[at(index)];
}

Toll SearchState::tollAt(int index, const Choice& choice) { return choice == choices_[at(index)] ? tollOf(index) : tollIn(index, choice); }

/// Forgets the tolls that depend on the place of the class.
void SearchState::forgetAround(int index) {
    isKnown_[at(index)] = false;
    for (const SharedStudents& shared : sections_.sharedWith(index)) isKnown_[at(shared.other)] = false;
    for (const int distribution : problem_.distributionsOf(index)) {
        for (const int member : problem_.distribution(distribution).classes) isKnown_[at(member)] = false;
    }
    const Place& place = places_[at(index)];
    if (!place.isPlaced || place.room < 0) return;
    for (const int other : classesOfRoom_[at(place.room)]) isKnown_[at(other)] = false;
}

/// Forgets the tolls that change when the request leaves its classes for these ones.
void SearchState::forgetSection(int request, std::span<const int> section) {
    sections_.classesBeside(request, others_);
    for (const int index : others_) isKnown_[at(index)] = false;
    for (const int index : section) isKnown_[at(index)] = false;
    for (const int index : sections_.sectionOf(request)) isKnown_[at(index)] = false;
}

Toll SearchState::tollIn(int index, const Choice& choice) {
    const Class& one = problem_.classAt(index);
    const Weights& weights = problem_.instance().weights;
    const Place before = std::exchange(places_[at(index)], placeOf(index, choice));
    const Place& place = places_[at(index)];
    const bool isPresent = choice == choices_[at(index)];
    Toll toll;
    if (place.isPlaced) {
        toll.soft += static_cast<std::int64_t>(one.times[at(choice.time)].penalty) * weights.time;
        if (one.needsRoom) {
            toll.soft += static_cast<std::int64_t>(one.rooms[at(choice.room)].penalty) * weights.room;
            for (const int other : classesOfRoom_[at(place.room)])
                toll.hard += other != index && overlap(place.span, places_[at(other)].span) ? 1 : 0;
            toll.hard += problem_.isClosed(place.room, place.span) ? 1 : 0;
        }
        std::int64_t conflicts = 0;
        for (const SharedStudents& shared : sections_.sharedWith(index)) {
            const Place& other = places_[at(shared.other)];
            if (other.isPlaced && excludeEachOther(problem_, place, other)) conflicts += shared.count;
        }
        toll.soft += conflicts * weights.student;
        for (const int distribution : problem_.distributionsOf(index)) toll += tollOfDistribution(distribution, index, isPresent);
    } else {
        toll.hard += one.needsRoom ? 2 : 1;    // as the score counts
        for (const int distribution : problem_.distributionsOf(index)) {
            if (!comparesPairs(problem_.distribution(distribution).type)) toll += tollOfDistribution(distribution, index, isPresent);
        }
    }
    places_[at(index)] = before;
    return toll;
}

bool SearchState::isFree(int index, const Choice& choice) const {
    const Place place = placeOf(index, choice);
    if (place.room < 0) return true;
    const std::vector<int>& classes = classesOfRoom_[at(place.room)];
    return !problem_.isClosed(place.room, place.span) && std::none_of(classes.begin(), classes.end(), [&](int other) {
        return other != index && overlap(place.span, places_[at(other)].span);
    });
}

void SearchState::move(int index, const Choice& choice, const Toll& difference) {
    forgetAround(index);
    noteRoom(index, false);
    choices_[at(index)] = choice;
    places_[at(index)] = placeOf(index, choice);
    noteRoom(index, true);
    forgetAround(index);
    for (const int distribution : problem_.distributionsOf(index)) {
        const Distribution& one = problem_.distribution(distribution);
        if (!comparesPairs(one.type)) violations_[at(distribution)] = violationOf(problem_, one, places_);
    }
    total_ += difference;
}

std::int64_t SearchState::conflictsOf(std::span<const int> section, const std::vector<int>& others) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < section.size(); ++i) {
        for (const int other : others) count += conflict(section[i], other) ? 1 : 0;
        for (std::size_t k = i + 1; k < section.size(); ++k) count += conflict(section[i], section[k]) ? 1 : 0;
    }
    return count;
}

Toll SearchState::tollOfSection(int request, std::span<const int> section) {
    sections_.classesBeside(request, others_);
    const std::span<const int> now = sections_.sectionOf(request);
    return {sections_.excessOfChange(now, section),
            (conflictsOf(section, others_) - conflictsOf(now, others_)) * problem_.instance().weights.student};
}

void SearchState::changeSection(int request, std::span<const int> section, const Toll& difference) {
    forgetSection(request, section);
    sections_.change(request, section);
    total_ += difference;
}

Toll SearchState::tollOfExchange(int one, int other) {
    const std::span<const int> first = sections_.sectionOf(one);
    const std::span<const int> second = sections_.sectionOf(other);
    sections_.classesBeside(one, others_);
    std::int64_t conflicts = conflictsOf(second, others_) - conflictsOf(first, others_);
    sections_.classesBeside(other, others_);
    conflicts += conflictsOf(first, others_) - conflictsOf(second, others_);
    return {0, conflicts * problem_.instance().weights.student};
}

void SearchState::exchangeSections(int one, int other, const Toll& difference) {
    const std::span<const int> first = sections_.sectionOf(one);
    const std::span<const int> second = sections_.sectionOf(other);
    const std::vector<int> firstClasses(first.begin(), first.end());
    const std::vector<int> secondClasses(second.begin(), second.end());
    forgetSection(one, secondClasses);
    forgetSection(other, firstClasses);
    sections_.change(one, secondClasses);
    sections_.change(other, firstClasses);
    total_ += difference;
}

Toll SearchState::counted() const {
    const Score score = scoreOf(problem_, toSolution(problem_, slots()));
    return {score.violations(), score.cost(problem_.instance().weights)};
}

Slots SearchState::slots() const {
    Slots slots;
    slots.reserve(choices_.size() + at(problem_.entryCount()));
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const int roomCount = std::max(1, static_cast<int>(problem_.classAt(static_cast<int>(i)).rooms.size()));
        slots.push_back(choices_[i].time < 0 ? -1 : choices_[i].time * roomCount + choices_[i].room);
    }
    sections_.writeTo(slots);
    return slots;
}

}    // namespace timetabling::sectioning
