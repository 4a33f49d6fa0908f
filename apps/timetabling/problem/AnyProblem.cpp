#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
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
#include <ferry/apps/timetabling/sectioning/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/sectioning/report/SectioningPresenter.hpp>
#include <ferry/apps/timetabling/sectioning/search/SectioningSearch.hpp>

namespace timetabling {

namespace {

template <class Interface, class OfCurriculum, class OfEnrolment, class OfSectioning>
std::unique_ptr<Interface> make(AnyInstance instance) {
    return std::visit(
        [](auto&& kind) -> std::unique_ptr<Interface> {
            using Kind = std::remove_cvref_t<decltype(kind)>;
            using OfOthers = std::conditional_t<std::is_same_v<Kind, sectioning::Instance>, OfSectioning, OfCurriculum>;
            using Made = std::conditional_t<std::is_same_v<Kind, enrolment::Instance>, OfEnrolment, OfOthers>;
            return std::make_unique<Made>(std::forward<decltype(kind)>(kind));
        },
        std::move(instance));
}

/// Whether the file begins as XML. A pipe is not looked into, since what is read from it is gone.
bool isXml(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    std::array<char, 256> begin{};
    file.read(begin.data(), begin.size());
    std::string text(begin.data(), static_cast<std::size_t>(file.gcount()));
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) std::erase(text, '\0');      // UTF-16
    while (!text.empty() && static_cast<unsigned char>(text.front()) >= 0x80) text.erase(0, 1);    // the mark of the byte order
    return sectioning::looksLikeXml(text);
}

}    // namespace

AnyInstance readAnyInstance(const std::string& path, curriculum::Formulation formulation,
                            const std::optional<curriculum::OwnWeights>& weights) {
    const std::string ending = lowered(std::filesystem::path(path).extension().string());
    if (ending == ".xml" || isXml(path)) {
        sectioning::Instance instance = sectioning::readInstance(path);
        const char* expected = "expected a curriculum-based instance for {}, found one of ITC-2019";
        if (formulation != curriculum::Formulation::UD2) throw InputError(path, fmt::format(fmt::runtime(expected), "--formulation"));
        if (weights) throw InputError(path, fmt::format(fmt::runtime(expected), "--weights"));
        return instance;
    }
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
    if (const auto* sections = std::get_if<sectioning::Instance>(&instance)) return sections->notes;
    const auto* known = std::get_if<curriculum::Instance>(&instance);
    return known == nullptr ? std::vector<std::string>() : known->notes;
}

void tellNotes(const AnyInstance& instance) { tellNotes(notesOf(instance)); }

bool hasSectioning(const AnyInstance& instance) { return std::holds_alternative<sectioning::Instance>(instance); }

void requireNone(const AnyInstance& instance, const std::vector<std::string>& given) {
    if (hasSectioning(instance) && !given.empty())
        throw InputError(given.front(),
                         "expected a curriculum-based or a post-enrolment instance, found one of ITC-2019, which does not "
                         "take this option yet");
}

std::unique_ptr<SearchProblem> makeSearchProblem(AnyInstance instance) {
    if (auto* known = std::get_if<curriculum::Instance>(&instance); known != nullptr && !known->rest.empty())
        return std::make_unique<curriculum::RestSearch>(std::move(*known));
    return make<SearchProblem, curriculum::CurriculumSearch, enrolment::EnrolmentSearch, sectioning::SectioningSearch>(std::move(instance));
}

std::unique_ptr<Presenter> makePresenter(AnyInstance instance) {
    return make<Presenter, curriculum::CurriculumPresenter, enrolment::EnrolmentPresenter, sectioning::SectioningPresenter>(
        std::move(instance));
}

}    // namespace timetabling
