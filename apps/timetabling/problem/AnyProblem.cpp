#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumPresenter.hpp>
#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>
#include <ferry/apps/timetabling/curriculum/search/RestSearch.hpp>
#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/enrolment/report/EnrolmentPresenter.hpp>
#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/model/lowered.hpp>

namespace timetabling {

namespace {

template <class Interface, class OfCurriculum, class OfEnrolment>
std::unique_ptr<Interface> make(AnyInstance instance) {
    return std::visit(
        [](auto&& kind) -> std::unique_ptr<Interface> {
            using Kind = std::remove_cvref_t<decltype(kind)>;
            using Made = std::conditional_t<std::is_same_v<Kind, enrolment::Instance>, OfEnrolment, OfCurriculum>;
            return std::make_unique<Made>(std::forward<decltype(kind)>(kind));
        },
        std::move(instance));
}

}    // namespace

AnyInstance readAnyInstance(const std::string& path, curriculum::Formulation formulation,
                            const std::optional<curriculum::OwnWeights>& weights) {
    const std::string ending = lowered(std::filesystem::path(path).extension().string());
    if (ending == ".tim") {
        if (formulation != curriculum::Formulation::UD2) {
            throw InputError(path, fmt::format("expected a curriculum-based instance for formulation {}, found a post-enrolment one",
                                               nameOf(formulation)));
        }
        if (weights) throw InputError(path, "expected a curriculum-based instance for --weights, found a post-enrolment one");
        return enrolment::readInstance(path);
    }
    const std::array<std::string_view, 5> tableEndings{".csv", ".tsv", ".xlsx", ".xls", ".ods"};
    if (std::find(tableEndings.begin(), tableEndings.end(), ending) != tableEndings.end() && std::filesystem::is_regular_file(path))
        throw InputError(path,
                         "expected an instance: .ctt, .ectt, .tim, or a folder of tables, found one table; give the folder that has "
                         "the tables courses.csv, rooms.csv and week.csv");
    curriculum::Instance instance = std::filesystem::is_directory(path) ? curriculum::readCsvFolder(path) : curriculum::readInstance(path);
    instance.formulation = formulation;
    if (weights) curriculum::setWeights(instance, *weights);
    const std::vector<std::string> uncounted = curriculum::uncountedParts(instance, std::filesystem::is_directory(path));
    instance.notes.insert(instance.notes.end(), uncounted.begin(), uncounted.end());
    curriculum::checkInstance(instance);
    return instance;
}

std::optional<curriculum::OwnWeights> ownWeights(const std::string& path) {
    if (path.empty()) return std::nullopt;
    return curriculum::readWeights(path);
}

std::vector<std::string> notesOf(const AnyInstance& instance) {
    const auto* known = std::get_if<curriculum::Instance>(&instance);
    return known == nullptr ? std::vector<std::string>() : known->notes;
}

void tellNotes(const AnyInstance& instance) { tellNotes(notesOf(instance)); }

std::unique_ptr<SearchProblem> makeSearchProblem(AnyInstance instance) {
    if (auto* known = std::get_if<curriculum::Instance>(&instance); known != nullptr && !known->rest.empty())
        return std::make_unique<curriculum::RestSearch>(std::move(*known));
    return make<SearchProblem, curriculum::CurriculumSearch, enrolment::EnrolmentSearch>(std::move(instance));
}

std::unique_ptr<Presenter> makePresenter(AnyInstance instance) {
    return make<Presenter, curriculum::CurriculumPresenter, enrolment::EnrolmentPresenter>(std::move(instance));
}

}    // namespace timetabling
