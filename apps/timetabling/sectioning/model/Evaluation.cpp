#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::sectioning {

namespace {

/// Gets each violation and cost once: the constraint, the amount without weight, and a function that makes the words.
class Listener {
public:
    using Words = std::function<std::pair<std::string, std::string>()>;    ///< the subject and the text

    Listener() = default;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    virtual ~Listener() = default;

    virtual void violated(HardConstraint constraint, std::int64_t amount, const Words& words) = 0;
    virtual void distributed(const Distribution& distribution, std::int64_t violation, std::int64_t cost, const Words& words) = 0;
    virtual void time(std::int64_t penalty, const Words& words) = 0;
    virtual void room(std::int64_t penalty, const Words& words) = 0;
    /// Some students cannot attend both classes.
    virtual void students(std::int64_t count, const Words& words) = 0;
};

/// Looks at all constraints of a timetable, hard ones first.
class Examiner {
public:
    Examiner(const Problem& problem, const Solution& solution, Listener& listener)
        : problem_(problem),
          solution_(solution),
          listener_(listener),
          places_(placesOf(problem, solution)) {}

    void run() {
        lookAtClasses();
        lookAtRooms();
        lookAtSections();
        lookAtDistributions(true);
        lookAtPenalties();
        lookAtDistributions(false);
        lookAtConflicts();
    }

private:
    const std::string& idOf(int index) const { return problem_.classAt(index).id; }
    std::string subjectOf(int index) const { return fmt::format("class {}", idOf(index)); }
    const Place& placeOf(int index) const { return places_[static_cast<std::size_t>(index)]; }
    const std::string& roomId(int room) const { return problem_.instance().rooms[static_cast<std::size_t>(room)].id; }

    void lookAtClasses() {
        for (int i = 0; i < problem_.classCount(); ++i) {
            if (!placeOf(i).isPlaced) {
                listener_.violated(HardConstraint::ClassTime, 1, [&] {
                    return std::pair(subjectOf(i),
                                     fmt::format("class {} has none of its {} times", idOf(i), problem_.classAt(i).times.size()));
                });
            }
        }
        for (int i = 0; i < problem_.classCount(); ++i) {
            if (problem_.classAt(i).needsRoom && placeOf(i).room < 0) {
                listener_.violated(HardConstraint::ClassRoom, 1, [&] {
                    return std::pair(subjectOf(i),
                                     fmt::format("class {} has none of its {} rooms", idOf(i), problem_.classAt(i).rooms.size()));
                });
            }
        }
    }

    void lookAtRooms() {
        std::vector<std::vector<int>> classesOfRoom(problem_.instance().rooms.size());
        for (int i = 0; i < problem_.classCount(); ++i) {
            if (placeOf(i).isPlaced && placeOf(i).room >= 0) classesOfRoom[static_cast<std::size_t>(placeOf(i).room)].push_back(i);
        }
        for (const std::vector<int>& classes : classesOfRoom) {
            for (std::size_t one = 0; one < classes.size(); ++one) {
                for (std::size_t other = one + 1; other < classes.size(); ++other) {
                    if (!overlap(placeOf(classes[one]).span, placeOf(classes[other]).span)) continue;
                    listener_.violated(HardConstraint::RoomOverlap, 1, [&] {
                        const std::string& room = roomId(placeOf(classes[one]).room);
                        return std::pair(fmt::format("room {}", room), fmt::format("classes {} and {} overlap in room {}",
                                                                                   idOf(classes[one]), idOf(classes[other]), room));
                    });
                }
            }
        }
        for (int i = 0; i < problem_.classCount(); ++i) {
            const Place& place = placeOf(i);
            if (!place.isPlaced || place.room < 0 || !problem_.isClosed(place.room, place.span)) continue;
            listener_.violated(HardConstraint::RoomClosed, 1, [&] {
                return std::pair(subjectOf(i), fmt::format("class {} is in room {} while it is closed", idOf(i), roomId(place.room)));
            });
        }
    }

    void lookAtSections() {
        for (const Request& request : problem_.requests()) {
            const std::vector<int>& classes = solution_.classesOfStudents[static_cast<std::size_t>(request.student)];
            if (sectionOf(problem_, request, classes).empty()) tellSection(request.student, request.course, "has not the classes of");
        }
        const Instance& instance = problem_.instance();
        for (int student = 0; student < problem_.studentCount(); ++student) {
            std::vector<int> strange;
            const std::vector<int>& wanted = instance.students[static_cast<std::size_t>(student)].courses;
            for (const int index : solution_.classesOfStudents[static_cast<std::size_t>(student)]) {
                if (std::find(wanted.begin(), wanted.end(), problem_.courseOf(index)) == wanted.end())
                    strange.push_back(problem_.courseOf(index));
            }
            std::sort(strange.begin(), strange.end());
            strange.erase(std::unique(strange.begin(), strange.end()), strange.end());
            for (const int course : strange) tellSection(student, course, "is in a class of, and does not ask for,");
        }
        const std::vector<std::vector<int>> students = studentsOfClasses(problem_, solution_);
        for (int i = 0; i < problem_.classCount(); ++i) {
            const int limit = problem_.classAt(i).limit;
            const auto found = static_cast<std::int64_t>(students[static_cast<std::size_t>(i)].size());
            if (limit < 0 || found <= limit) continue;
            listener_.violated(HardConstraint::ClassLimit, found - limit, [&] {
                return std::pair(subjectOf(i), fmt::format("class {} has {}, and room for {}", idOf(i), counted(found, "student"), limit));
            });
        }
    }

    void tellSection(int student, int course, const char* what) {
        listener_.violated(HardConstraint::StudentCourse, 1, [&] {
            const std::string& id = problem_.instance().students[static_cast<std::size_t>(student)].id;
            return std::pair(fmt::format("student {}", id), fmt::format("student {} {} course {}", id, what,
                                                                        problem_.instance().courses[static_cast<std::size_t>(course)].id));
        });
    }

    void lookAtDistributions(bool isRequired) {
        // Distributions of one type come together.
        for (int type = 0; type < DistributionTypeCount; ++type) {
            for (const Distribution& distribution : problem_.instance().distributions) {
                if (distribution.isRequired != isRequired || static_cast<int>(distribution.type) != type) continue;
                const std::int64_t violation = violationOf(problem_, distribution, places_);
                if (violation == 0) continue;
                const std::int64_t cost = isRequired ? 0 : costOf(problem_, distribution, violation);
                listener_.distributed(distribution, violation, cost, [&] { return wordsFor(distribution, violation); });
            }
        }
    }

    std::pair<std::string, std::string> wordsFor(const Distribution& distribution, std::int64_t violation) const {
        constexpr std::size_t mostNamed = 8;
        std::string classes;
        for (std::size_t i = 0; i < distribution.classes.size() && i < mostNamed; ++i)
            classes += fmt::format("{}{}", i == 0 ? "" : ", ", idOf(distribution.classes[i]));
        if (distribution.classes.size() > mostNamed) classes += fmt::format(" and {} more", distribution.classes.size() - mostNamed);
        std::string name = nameOf(distribution.type);
        if (parameterCount(distribution.type) == 1) name += fmt::format("({})", distribution.first);
        if (parameterCount(distribution.type) == 2) name += fmt::format("({},{})", distribution.first, distribution.second);
        const char* unit = comparesPairs(distribution.type)                    ? "pair"
                           : distribution.type == DistributionType::MaxDays    ? "day"
                           : distribution.type == DistributionType::MaxDayLoad ? "slot"
                           : distribution.type == DistributionType::MaxBreaks  ? "break"
                                                                               : "block";
        return {fmt::format("class {}", idOf(distribution.classes.front())),
                fmt::format("{} of classes {}: {} {}", name, classes, counted(violation, unit),
                            comparesPairs(distribution.type) ? "violated" : "over the limit")};
    }

    void lookAtPenalties() {
        for (int i = 0; i < problem_.classCount(); ++i) {
            const int index = solution_.times[static_cast<std::size_t>(i)];
            const int penalty = index < 0 ? 0 : problem_.classAt(i).times[static_cast<std::size_t>(index)].penalty;
            if (penalty > 0)
                listener_.time(
                    penalty, [&] { return std::pair(subjectOf(i), fmt::format("the time of class {} has penalty {}", idOf(i), penalty)); });
        }
        for (int i = 0; i < problem_.classCount(); ++i) {
            const int index = solution_.rooms[static_cast<std::size_t>(i)];
            const int penalty = index < 0 ? 0 : problem_.classAt(i).rooms[static_cast<std::size_t>(index)].penalty;
            if (penalty > 0)
                listener_.room(penalty, [&] {
                    return std::pair(subjectOf(i),
                                     fmt::format("room {} of class {} has penalty {}", roomId(placeOf(i).room), idOf(i), penalty));
                });
        }
    }

    void lookAtConflicts() {
        std::map<std::pair<int, int>, std::int64_t> counts;
        for (const std::vector<int>& classes : solution_.classesOfStudents) {
            for (std::size_t one = 0; one < classes.size(); ++one) {
                if (!placeOf(classes[one]).isPlaced) continue;
                for (std::size_t other = one + 1; other < classes.size(); ++other) {
                    if (placeOf(classes[other]).isPlaced && excludeEachOther(problem_, placeOf(classes[one]), placeOf(classes[other])))
                        ++counts[std::minmax({classes[one], classes[other]})];
                }
            }
        }
        for (const auto& [pair, count] : counts) {
            const auto& [one, other] = pair;
            listener_.students(count, [&, one = one, other = other, count = count] {
                const char* why = overlap(placeOf(one).span, placeOf(other).span) ? "overlap" : "are too far apart";
                return std::pair(subjectOf(one),
                                 fmt::format("classes {} and {} {} for {}", idOf(one), idOf(other), why, counted(count, "student")));
            });
        }
    }

    const Problem& problem_;
    const Solution& solution_;
    Listener& listener_;
    std::vector<Place> places_;
};

/// Adds up what it hears.
class Adder final : public Listener {
public:
    void violated(HardConstraint constraint, std::int64_t amount, const Words& /*words*/) override { score[constraint] += amount; }
    void distributed(const Distribution& distribution, std::int64_t violation, std::int64_t cost, const Words& /*words*/) override {
        if (distribution.isRequired) {
            score.required[static_cast<std::size_t>(distribution.type)] += violation;
        } else {
            score.distribution += cost;
        }
    }
    void time(std::int64_t penalty, const Words& /*words*/) override { score.time += penalty; }
    void room(std::int64_t penalty, const Words& /*words*/) override { score.room += penalty; }
    void students(std::int64_t count, const Words& /*words*/) override { score.student += count; }

    Score score;
};

/// Puts all that it hears into words. What costs nothing, for a weight of 0 for example, is left out.
class Writer final : public Listener {
public:
    explicit Writer(const Weights& weights) : weights_(weights) {}

    void violated(HardConstraint constraint, std::int64_t amount, const Words& words) override {
        addHard(nameOf(constraint), amount, words);
    }
    void distributed(const Distribution& distribution, std::int64_t violation, std::int64_t cost, const Words& words) override {
        if (distribution.isRequired) {
            addHard(fmt::format("Required{}", nameOf(distribution.type)), violation, words);
        } else {
            addSoft(nameOf(distribution.type), cost * weights_.distribution, words);
        }
    }
    void time(std::int64_t penalty, const Words& words) override { addSoft("TimePenalty", penalty * weights_.time, words); }
    void room(std::int64_t penalty, const Words& words) override { addSoft("RoomPenalty", penalty * weights_.room, words); }
    void students(std::int64_t count, const Words& words) override { addSoft("StudentConflicts", count * weights_.student, words); }

    std::vector<Remark> remarks;

private:
    void addHard(const std::string& constraint, std::int64_t amount, const Words& words) {
        auto [subject, text] = words();
        remarks.push_back({constraint, true, amount, std::move(subject), std::move(text)});
    }
    void addSoft(const std::string& constraint, std::int64_t cost, const Words& words) {
        if (cost == 0) return;
        auto [subject, text] = words();
        text += fmt::format(": costs {}", cost);
        remarks.push_back({constraint, false, cost, std::move(subject), std::move(text)});
    }

    Weights weights_;
};

}    // namespace

const char* nameOf(HardConstraint constraint) {
    constexpr std::array<const char*, HardConstraintCount> names{"ClassTime",  "ClassRoom",     "RoomOverlap",
                                                                 "RoomClosed", "StudentCourse", "ClassLimit"};
    return names[static_cast<std::size_t>(constraint)];
}

std::int64_t Score::violations() const {
    return std::accumulate(hard.begin(), hard.end(), std::accumulate(required.begin(), required.end(), std::int64_t{0}));
}

std::int64_t Score::cost(const Weights& weights) const {
    return time * weights.time + room * weights.room + distribution * weights.distribution + student * weights.student;
}

Score scoreOf(const Problem& problem, const Solution& solution) {
    Adder adder;
    Examiner(problem, solution, adder).run();
    return adder.score;
}

std::string violationsInWords(const Score& score) {
    std::string text;
    const auto add = [&text](std::int64_t amount, const std::string& name) {
        if (amount > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", amount, name);
    };
    for (std::size_t i = 0; i < score.hard.size(); ++i) add(score.hard[i], nameOf(static_cast<HardConstraint>(i)));
    for (std::size_t i = 0; i < score.required.size(); ++i)
        add(score.required[i], fmt::format("Required{}", nameOf(static_cast<DistributionType>(i))));
    return text;
}

std::vector<Remark> remarksOn(const Problem& problem, const Solution& solution) {
    Writer writer(problem.instance().weights);
    Examiner(problem, solution, writer).run();
    return std::move(writer.remarks);
}

}    // namespace timetabling::sectioning
