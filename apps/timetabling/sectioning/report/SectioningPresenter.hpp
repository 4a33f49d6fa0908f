#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/report/Presenter.hpp>
#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>
#include <ferry/apps/timetabling/sectioning/model/Solution.hpp>

namespace timetabling::sectioning {

/// Shows timetables with student sectioning. There are no pages and calendars yet: view() holds the examination alone.
class SectioningPresenter final : public Presenter {
public:
    explicit SectioningPresenter(Instance instance) : problem_(std::move(instance)) {}

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
    int dayCount() const override { return problem_.instance().dayCount; }
    int periodsPerDay() const override { return problem_.instance().slotsPerDay; }
    std::string describeLeftOut(const Slots& /*slots*/) const override { return {}; }

private:
    Problem problem_;
};

}    // namespace timetabling::sectioning
