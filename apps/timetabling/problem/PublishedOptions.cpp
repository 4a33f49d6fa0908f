#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/enrolment/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling {

namespace {

const std::vector<curriculum::PublishedLecture>& placesOf(const curriculum::Published& published) { return published.lectures; }
const std::vector<enrolment::Place>& placesOf(const enrolment::Published& published) { return published.places; }

/// Tells how many lectures or events the published timetable has no place for.
void tellWithoutPlace(const std::string& path, std::int64_t count, const std::string& all) {
    if (count > 0)
        tell(fmt::format("timetabling: {}: {} of {} have no place there, so any place is right for them\n", printable(path), count, all));
}

void readStart(const std::string& path, const curriculum::Problem& problem, curriculum::Published& published) {
    curriculum::PublishedTimetable timetable = curriculum::readPublished(path, problem);
    published.lectures = std::move(timetable.lectures);
    std::vector<int> rest;
    for (int course = 0; course < problem.courseCount(); ++course) rest.push_back(problem.course(course).lectureCount);
    for (const curriculum::PublishedLecture& lecture : published.lectures) --rest[static_cast<std::size_t>(lecture.course)];
    std::int64_t free = 0;
    for (const int count : rest) free += std::max(count, 0);
    tellWithoutPlace(path, free, counted(problem.lectureCount(), "lecture"));
    if (!timetable.leftOut.empty()) tell(fmt::format("timetabling: {}: {}\n", printable(path), timetable.leftOut));
}

void readStart(const std::string& path, const enrolment::Problem& problem, enrolment::Published& published) {
    published.places = enrolment::readPublished(path, problem);
    const auto free = std::count_if(published.places.begin(), published.places.end(), [](const auto& one) { return !one.isPlaced(); });
    tellWithoutPlace(path, free, counted(problem.eventCount(), "event"));
}

template <class Instance>
void notePublished(Instance& instance, const PublishedOptions& options) {
    using Problem = std::conditional_t<std::is_same_v<Instance, enrolment::Instance>, enrolment::Problem, curriculum::Problem>;
    const Problem problem(instance);
    auto& published = instance.published;
    if (!options.startFile.empty()) readStart(options.startFile, problem, published);
    if (!options.pinFile.empty()) published.pins = readPins(options.pinFile, problem);
    if (!options.free.empty()) {
        const std::set<std::string> free(options.free.begin(), options.free.end());
        published.pins = pinsOfAllBut(free, placesOf(published), problem);
    }
    published.keepWeight = options.keepWeight;
}

}    // namespace

AnyInstance withPublished(AnyInstance instance, const PublishedOptions& options) {
    if (options.startFile.empty() && options.pinFile.empty()) return instance;
    requireNone(instance, {options.startFile.empty() ? "--pin" : "--start"});
    std::visit(
        [&](auto& kind) {
            if constexpr (requires { kind.published; }) notePublished(kind, options);
        },
        instance);
    return instance;
}

void beginWith(AnyInstance& instance, const std::optional<Slots>& slots) {
    if (auto* known = std::get_if<curriculum::Instance>(&instance); known != nullptr && slots) known->published.begin = *slots;
}

}    // namespace timetabling
