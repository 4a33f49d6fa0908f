#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/report/Presenter.hpp>

namespace timetabling::enrolment {

/// The score as a table: one line per constraint, then the sums.
std::string describeScore(const Score& score);

/// One line: "feasible, cost 61", "infeasible: 2 violations, distance to feasibility 31, cost 61".
std::string summarize(const Score& score);

/// Shows timetables of a post-enrolment problem.
class EnrolmentPresenter final : public Presenter {
public:
    explicit EnrolmentPresenter(Instance instance) : problem_(std::move(instance)) {}

    std::string problemLine() const override;
    Examination examine(const Slots& slots) const override;
    Examination examine(const std::string& solutionFile) const override;
    std::string solutionFile(const Slots& slots) const override;
    /// A week for each room; students are too many.
    std::string htmlPage(const Slots& slots) const override;
    std::string jsonDocument(const Slots& slots) const override;
    std::string csvTable(const Slots& slots) const override;
    std::vector<Calendar> calendars(const Slots& slots) const override;
    int periodsPerDay() const override { return PeriodsPerDay; }

private:
    Examination examine(const Solution& solution) const;

    Problem problem_;
};

}    // namespace timetabling::enrolment
