#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace timetabling::curriculum {

namespace {

/// The reason why a lecture cannot be in its published place. Empty when the place itself gives no reason.
std::string causeOf(const Problem& problem, const PublishedLecture& lecture) {
    if (lecture.period < 0) return "the week no longer has the period";
    if (!problem.isAvailable(lecture.course, lecture.period)) return "the period is closed";
    if (lecture.room < 0) return "the room is no longer there";
    if (!problem.isRoomOpen(lecture.room, lecture.period)) return "the room is closed then";
    if (problem.weights().isRoomSuitabilityHard && !problem.isSuitable(lecture.course, lecture.room)) return "the room does not suit";
    return {};
}

std::string placeOf(const Problem& problem, const Placement& placement) {
    return fmt::format("{} room {}", problem.periodText(placement.period), problem.room(placement.room).id);
}

/// The published and the present lectures of one course, without those that are in both timetables.
class CourseMoves {
public:
    CourseMoves(const Problem& problem, int course) : problem_(problem), course_(course) {}

    std::vector<const PublishedLecture*> before;
    std::vector<const Placement*> after;

    void addTo(std::vector<Moved>& all) {
        pairUp(all, [](const PublishedLecture& from, const Placement& to) { return from.period == to.period; });
        pairUp(all, [](const PublishedLecture&, const Placement&) { return true; });
        for (const PublishedLecture* from : before) all.push_back({course_, from->place, "", causeOf(problem_, *from)});
        for (const Placement* to : after) all.push_back({course_, "", placeOf(problem_, *to), "", to->period, to->room});
    }

private:
    template <class Fits>
    void pairUp(std::vector<Moved>& all, Fits fits) {
        std::erase_if(before, [&](const PublishedLecture* from) {
            const auto to = std::find_if(after.begin(), after.end(), [&](const Placement* one) { return fits(*from, *one); });
            if (to == after.end()) return false;
            all.push_back({course_, from->place, placeOf(problem_, **to), causeOf(problem_, *from), (*to)->period, (*to)->room});
            after.erase(to);
            return true;
        });
    }

    const Problem& problem_;
    int course_;
};

}    // namespace

std::vector<Moved> movedLectures(const Problem& problem, const Solution& solution) {
    std::vector<Moved> moved;
    if (!problem.published()) return moved;
    std::vector<CourseMoves> moves;
    for (int course = 0; course < problem.courseCount(); ++course) moves.emplace_back(problem, course);
    std::vector<const PublishedLecture*> published(static_cast<std::size_t>(problem.courseCount() * problem.periodCount()), nullptr);
    const auto cell = [&](int course, int period) { return static_cast<std::size_t>(course * problem.periodCount() + period); };
    for (const PublishedLecture& lecture : problem.instance().published.lectures) {
        if (lecture.period >= 0) published[cell(lecture.course, lecture.period)] = &lecture;
    }
    for (const Placement& placement : solution.placements) {
        const PublishedLecture*& before = published[cell(placement.course, placement.period)];
        if (before && before->room == placement.room) {
            before = nullptr;
        } else {
            moves[static_cast<std::size_t>(placement.course)].after.push_back(&placement);
        }
    }
    for (const PublishedLecture& lecture : problem.instance().published.lectures) {
        if (lecture.period < 0 || published[cell(lecture.course, lecture.period)] == &lecture)
            moves[static_cast<std::size_t>(lecture.course)].before.push_back(&lecture);
    }
    for (CourseMoves& ofCourse : moves) ofCourse.addTo(moved);
    return moved;
}

}    // namespace timetabling::curriculum
