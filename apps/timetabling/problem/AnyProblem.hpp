#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <ferry/apps/timetabling/curriculum/io/WeightsFile.hpp>
#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/report/Presenter.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>
#include <ferry/apps/timetabling/sectioning/model/Instance.hpp>

namespace timetabling {

/// An instance of any kind of problem. The master shares it with its slaves.
using AnyInstance = std::variant<curriculum::Instance, enrolment::Instance, sectioning::Instance>;

/// Reads an instance. A file that begins as XML is one of ITC-2019, with student sectioning. For others, the ending of the name selects
/// the kind: .tim is post-enrolment, all others are curriculum-based.
/// A curriculum-based instance is a file or a folder of tables (curriculum/io/CsvFolder.hpp).
/// 'formulation' is the formulation of a curriculum-based instance; own weights replace those of the formulation.
/// Errors: InputError, also for a formulation other than UD2 with another kind of instance.
AnyInstance readAnyInstance(const std::string& path, curriculum::Formulation formulation = curriculum::Formulation::UD2,
                            const std::optional<curriculum::OwnWeights>& weights = std::nullopt);
/// Reads the weights of the file. Nothing for an empty name.
std::optional<curriculum::OwnWeights> ownWeights(const std::string& path);
/// Returns what the user should know of the instance: guesses, and parts that were left out or do not count.
std::vector<std::string> notesOf(const AnyInstance& instance);
/// Prints these notes on stderr.
void tellNotes(const AnyInstance& instance);

/// Whether the instance is one of ITC-2019.
bool hasSectioning(const AnyInstance& instance);
/// Refuses options that such an instance does not take. 'given' are the names of the options that were given, and of no others.
/// Errors: InputError that names the option.
void requireNone(const AnyInstance& instance, const std::vector<std::string>& given);

/// Errors: std::invalid_argument for an instance that no reader would have accepted.
std::unique_ptr<SearchProblem> makeSearchProblem(AnyInstance instance);
std::unique_ptr<Presenter> makePresenter(AnyInstance instance);

}    // namespace timetabling
