#include <ferry/apps/timetabling/sectioning/search/Sections.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

#include <ferry/apps/timetabling/sectioning/model/at.hpp>

namespace timetabling::sectioning {

namespace {

std::vector<int> firstRequests(const Problem& problem) {
    std::vector<int> first(at(problem.studentCount()) + 1, 0);
    for (const Request& request : problem.requests()) ++first[at(request.student) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

/// The position of the subpart of the class in its configuration.
std::size_t positionOf(const Problem& problem, int index) {
    const std::vector<int>& subparts = problem.subpartsOf(problem.configOf(index));
    return static_cast<std::size_t>(std::find(subparts.begin(), subparts.end(), problem.classAt(index).subpart) - subparts.begin());
}

}    // namespace

Sections::Sections(const Problem& problem, Random& random) : Sections(problem, Slots(), random) {}

Sections::Sections(const Problem& problem, const Slots& slots, Random& random)
    : problem_(problem),
      entries_(at(problem.entryCount()), -1),
      firstRequest_(firstRequests(problem)),
      enrolled_(at(problem.classCount()), 0),
      shared_(at(problem.classCount())) {
    if (!slots.empty()) std::copy(slots.begin() + problem.classCount(), slots.end(), entries_.begin());
    std::vector<int> open;
    for (std::size_t i = 0; i < problem.requests().size(); ++i) {
        if (hasSection(static_cast<int>(i))) {
            enrol(sectionOf(static_cast<int>(i)), 1);
        } else {
            open.push_back(static_cast<int>(i));
        }
    }
    // Students with the same courses follow each other, so that they come into the same classes.
    const auto coursesOf = [&problem](int request) -> const std::vector<int>& {
        return problem.instance().students[at(problem.requests()[at(request)].student)].courses;
    };
    random.shuffle(open);
    std::stable_sort(open.begin(), open.end(), [&coursesOf](int one, int other) { return coursesOf(one) < coursesOf(other); });
    for (const int request : open) fill(request, random);
    shareAll();
}

bool Sections::hasSection(int request) const { return entries_[at(problem_.requests()[at(request)].firstEntry)] >= 0; }

std::int64_t Sections::missing() const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < problem_.requests().size(); ++i) count += hasSection(static_cast<int>(i)) ? 0 : 1;
    return count;
}

std::span<const int> Sections::sectionOf(int request) const {
    const int first = problem_.requests()[at(request)].firstEntry;
    return {entries_.data() + first, problem_.subpartsOf(problem_.configOf(entries_[at(first)])).size()};
}

void Sections::classesBeside(int request, std::vector<int>& classes) const {
    classes.clear();
    const int student = problem_.requests()[at(request)].student;
    for (int other = firstRequest_[at(student)]; other < firstRequest_[at(student) + 1]; ++other) {
        if (other == request || !hasSection(other)) continue;
        const std::span<const int> section = sectionOf(other);
        classes.insert(classes.end(), section.begin(), section.end());
    }
}

int Sections::freeSeats(int index) const {
    const int limit = problem_.classAt(index).limit;
    return limit < 0 ? std::numeric_limits<int>::max() : limit - enrolled_[at(index)];
}

std::int64_t Sections::excessOfChange(std::span<const int> from, std::span<const int> to) const {
    std::int64_t change = 0;
    for (const int index : from) {
        if (std::find(to.begin(), to.end(), index) == to.end()) change -= freeSeats(index) < 0 ? 1 : 0;
    }
    for (const int index : to) {
        if (std::find(from.begin(), from.end(), index) == from.end()) change += freeSeats(index) <= 0 ? 1 : 0;
    }
    return change;
}

/// Fills the gaps (-1) of a section: classes that others need as parents, then the wanted ones, then any with free seats.
bool Sections::complete(int config, std::vector<int>& section, std::span<const int> wanted, Random& random) const {
    const std::vector<int>& subparts = problem_.subpartsOf(config);
    const auto setParents = [&](int index) {
        for (int parent = problem_.classAt(index).parent; parent >= 0; parent = problem_.classAt(parent).parent) {
            int& place = section[positionOf(problem_, parent)];
            if (place >= 0 && place != parent) return false;
            place = parent;
        }
        return true;
    };
    // A class fits when its parents are not in the way of the classes that are there.
    const auto fits = [&](int index) {
        for (int parent = problem_.classAt(index).parent; parent >= 0; parent = problem_.classAt(parent).parent) {
            const int there = section[positionOf(problem_, parent)];
            if (there >= 0 && there != parent) return false;
        }
        return true;
    };
    for (const int index : std::vector<int>(section)) {
        if (index >= 0 && !setParents(index)) return false;
    }
    // Subparts whose classes are nobody's parents come first: they decide about the others.
    for (const bool isLeafTurn : {true, false}) {
        for (std::size_t i = 0; i < subparts.size(); ++i) {
            if (section[i] >= 0) continue;
            const std::vector<int>& classes = problem_.instance().subparts[at(subparts[i])].classes;
            if (isLeafTurn && std::none_of(classes.begin(), classes.end(), [&](int index) { return problem_.classAt(index).parent >= 0; }))
                continue;
            int chosen = -1;
            if (i < wanted.size() && wanted[i] >= 0 && problem_.classAt(wanted[i]).subpart == subparts[i] && fits(wanted[i])) {
                chosen = wanted[i];
            } else {
                const auto start = static_cast<std::size_t>(random.below(static_cast<int>(classes.size())));
                int mostSeats = std::numeric_limits<int>::min();
                for (std::size_t k = 0; k < classes.size(); ++k) {
                    const int index = classes[(start + k) % classes.size()];
                    if (!fits(index)) continue;
                    const int seats = std::min(1, freeSeats(index));
                    if (seats <= mostSeats) continue;
                    mostSeats = seats;
                    chosen = index;
                    if (seats > 0) break;
                }
            }
            if (chosen < 0) return false;
            section[i] = chosen;
            if (!setParents(chosen)) return false;
        }
    }
    return true;
}

/// Gives the request classes: the first ones in the file that have free seats, so that students who follow each other stay together.
void Sections::fill(int request, Random& random) {
    constexpr int mostDraws = 30;
    const Request& one = problem_.requests()[at(request)];
    const std::vector<int>& configs = problem_.instance().courses[at(one.course)].configs;
    std::vector<int> best;
    std::int64_t bestExcess = std::numeric_limits<std::int64_t>::max();
    for (int draw = 0; draw < mostDraws && bestExcess > 0; ++draw) {
        const int config =
            draw < static_cast<int>(configs.size()) ? configs[at(draw)] : configs[at(random.below(static_cast<int>(configs.size())))];
        const std::vector<int>& subparts = problem_.subpartsOf(config);
        std::vector<int> wanted(subparts.size(), -1);
        if (draw < static_cast<int>(configs.size())) {
            for (std::size_t i = 0; i < subparts.size(); ++i) {
                for (const int index : problem_.instance().subparts[at(subparts[i])].classes) {
                    if (wanted[i] < 0 && freeSeats(index) > 0) wanted[i] = index;
                }
            }
        }
        std::vector<int> section(subparts.size(), -1);
        if (!complete(config, section, wanted, random)) continue;
        const std::int64_t excess = excessOfChange({}, section);
        if (excess >= bestExcess) continue;
        bestExcess = excess;
        best = section;
    }
    if (best.empty()) return;    // the parents allow no section; the request stays without classes
    write(request, best);
    enrol(best, 1);
}

/// Replaces the entries of the request.
void Sections::write(int request, std::span<const int> section) {
    const Request& one = problem_.requests()[at(request)];
    const auto first = entries_.begin() + one.firstEntry;
    std::fill(first, first + one.entryCount, 0);
    std::copy(section.begin(), section.end(), first);
}

void Sections::shareAll() {
    std::vector<int> classes;
    for (int student = 0; student < problem_.studentCount(); ++student) {
        classes.clear();
        for (int request = firstRequest_[at(student)]; request < firstRequest_[at(student) + 1]; ++request) {
            if (!hasSection(request)) continue;
            const std::span<const int> section = sectionOf(request);
            classes.insert(classes.end(), section.begin(), section.end());
        }
        for (const int one : classes) {
            for (const int other : classes) {
                if (one != other) share(one, other, 1);
            }
        }
    }
}

bool Sections::drawSection(int request, Random& random, std::vector<int>& section) const {
    const Request& one = problem_.requests()[at(request)];
    if (!hasSection(request)) return false;
    const std::vector<int>& configs = problem_.instance().courses[at(one.course)].configs;
    const std::span<const int> now = sectionOf(request);
    constexpr double otherConfigShare = 0.2;
    int config = problem_.configOf(now.front());
    if (configs.size() > 1 && random.fraction() < otherConfigShare) config = configs[at(random.below(static_cast<int>(configs.size())))];
    const std::vector<int>& subparts = problem_.subpartsOf(config);
    const auto i = at(random.below(static_cast<int>(subparts.size())));
    const std::vector<int>& classes = problem_.instance().subparts[at(subparts[i])].classes;
    section.assign(subparts.size(), -1);
    section[i] = classes[at(random.below(static_cast<int>(classes.size())))];
    if (std::find(now.begin(), now.end(), section[i]) != now.end()) return false;
    return complete(config, section, now, random);
}

void Sections::share(int one, int other, int sign) {
    std::vector<SharedStudents>& list = shared_[at(one)];
    const auto found = std::find_if(list.begin(), list.end(), [other](const SharedStudents& shared) { return shared.other == other; });
    if (found == list.end()) {
        list.push_back({other, sign});
        return;
    }
    found->count += sign;
    if (found->count == 0) {
        *found = list.back();
        list.pop_back();
    }
}

void Sections::enrol(std::span<const int> section, int sign) {
    for (const int index : section) {
        const int limit = problem_.classAt(index).limit;
        const auto above = [&] { return limit < 0 ? 0 : std::max(0, enrolled_[at(index)] - limit); };
        excess_ -= above();
        enrolled_[at(index)] += sign;
        excess_ += above();
    }
}

void Sections::change(int request, std::span<const int> section) {
    std::vector<int> others;
    classesBeside(request, others);
    const std::span<const int> span = sectionOf(request);
    const std::vector<int> before(span.begin(), span.end());
    const auto exchange = [&](const std::vector<int>& classes, int sign) {
        enrol(classes, sign);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            for (const int other : others) {
                share(classes[i], other, sign);
                share(other, classes[i], sign);
            }
            for (std::size_t k = i + 1; k < classes.size(); ++k) {
                share(classes[i], classes[k], sign);
                share(classes[k], classes[i], sign);
            }
        }
    };
    exchange(before, -1);
    const std::vector<int> after(section.begin(), section.end());
    write(request, after);
    exchange(after, 1);
}

void Sections::writeTo(Slots& slots) const { slots.insert(slots.end(), entries_.begin(), entries_.end()); }

}    // namespace timetabling::sectioning
