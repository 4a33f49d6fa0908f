#pragma once

#include <utility>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/report/Presenter.hpp>

namespace timetabling::curriculum {

/// Shows timetables of a curriculum-based problem.
class CurriculumPresenter final : public Presenter {
public:
    explicit CurriculumPresenter(Instance instance) : problem_(std::move(instance)) {}

    std::string problemLine() const override;
    Examination examine(const Slots& slots) const override;
    Examination examine(const std::string& solutionFile) const override;
    TimetableView view(const Slots& slots) const override;
    TimetableView view(const std::string& solutionFile) const override;
    Slots slotsOf(const std::string& solutionFile) const override;
    std::string solutionFile(const Slots& slots) const override;
    std::string jsonDocument(const Slots& slots) const override;
    std::string csvTable(const Slots& slots) const override;
    std::vector<Calendar> calendars(const Slots& slots) const override;
    int dayCount() const override { return problem_.dayCount(); }
    int periodsPerDay() const override { return problem_.periodsPerDay(); }
    WeekNames weekNames() const override { return problem_.instance().names; }
    std::string describeLeftOut(const Slots& slots) const override;
    std::string describeMoved(const Slots& slots) const override;

private:
    Problem problem_;
};

}    // namespace timetabling::curriculum
