#pragma once

#include <memory>
#include <string>
#include <variant>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/report/Presenter.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// An instance of any kind of problem. The master shares it with its slaves.
using AnyInstance = std::variant<curriculum::Instance, enrolment::Instance>;

/// Reads an instance. The ending of its name selects the kind: .tim is post-enrolment, all others are curriculum-based.
/// A curriculum-based instance is a file or a folder of tables (curriculum/io/CsvFolder.hpp).
/// 'formulation' is the formulation of a curriculum-based instance.
/// Errors: InputError, also for a formulation other than UD2 with another kind of instance.
AnyInstance readAnyInstance(const std::string& path, curriculum::Formulation formulation = curriculum::Formulation::UD2);

/// Errors: std::invalid_argument for an instance that no reader would have accepted.
std::unique_ptr<SearchProblem> makeSearchProblem(AnyInstance instance);
std::unique_ptr<Presenter> makePresenter(AnyInstance instance);

}    // namespace timetabling
