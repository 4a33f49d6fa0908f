#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/report/Presenter.hpp>

namespace timetabling::enrolment {

/// Shows timetables of a post-enrolment problem. The presenter shows the pins, but its problem is not narrowed by them.
class EnrolmentPresenter final : public Presenter {
public:
    explicit EnrolmentPresenter(Instance instance) : pins_(instance.published.pins), problem_(withoutPins(std::move(instance))) {}

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
    int dayCount() const override { return DayCount; }
    int periodsPerDay() const override { return PeriodsPerDay; }
    std::string describeLeftOut(const Slots& slots) const override;
    std::string describeMoved(const Slots& slots) const override;

private:
    std::vector<Pin> pins_;
    Problem problem_;
};

}    // namespace timetabling::enrolment
