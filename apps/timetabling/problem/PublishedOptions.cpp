#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>

#include <set>
#include <utility>

#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

AnyInstance withPublished(AnyInstance instance, const PublishedOptions& options) {
    if (options.startFile.empty() && options.pinFile.empty()) return instance;
    auto* ofCurricula = std::get_if<curriculum::Instance>(&instance);
    if (!ofCurricula)
        throw InputError(options.startFile.empty() ? options.pinFile : options.startFile,
                         "expected a curriculum-based instance to keep the places of lectures, found a post-enrolment one");
    const curriculum::Problem problem(*ofCurricula);
    curriculum::Published& published = ofCurricula->published;
    if (!options.startFile.empty()) published.lectures = curriculum::readPublished(options.startFile, problem);
    if (!options.pinFile.empty()) published.pins = curriculum::readPins(options.pinFile, problem);
    if (!options.freeCourses.empty()) {
        const std::set<std::string> free(options.freeCourses.begin(), options.freeCourses.end());
        published.pins = curriculum::pinsOfAllBut(free, published.lectures, problem);
    }
    published.keepWeight = options.keepWeight;
    return instance;
}

}    // namespace timetabling
