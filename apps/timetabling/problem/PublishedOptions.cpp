#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>

#include <set>
#include <type_traits>
#include <variant>

#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/enrolment/io/PublishedFile.hpp>

namespace timetabling {

namespace {

std::vector<curriculum::PublishedLecture>& placesOf(curriculum::Published& published) { return published.lectures; }
std::vector<enrolment::Place>& placesOf(enrolment::Published& published) { return published.places; }

template <class Instance>
void notePublished(Instance& instance, const PublishedOptions& options) {
    using Problem = std::conditional_t<std::is_same_v<Instance, enrolment::Instance>, enrolment::Problem, curriculum::Problem>;
    const Problem problem(instance);
    auto& published = instance.published;
    if (!options.startFile.empty()) placesOf(published) = readPublished(options.startFile, problem);
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
    std::visit([&](auto& kind) { notePublished(kind, options); }, instance);
    return instance;
}

}    // namespace timetabling
