#pragma once

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/serve/DeskModel.hpp>

namespace timetabling {

/// Post-enrolment problems as a desk needs them. Their files know neither rooms that are closed for one period, nor, by the rules of
/// ITC-2002, closed periods. So a room is closed for the whole week, and a period for all rooms.
class EnrolmentDesk final : public DeskModel {
public:
    explicit EnrolmentDesk(const enrolment::Instance& instance);

    const char* noun() const override { return "event"; }
    bool isWholeItem() const override { return true; }
    int itemCount() const override { return problem_.eventCount(); }
    int periodCount() const override { return enrolment::PeriodCount; }
    int roomCount() const override { return problem_.roomCount(); }
    std::string itemName(int item) const override;
    std::string roomName(int room) const override;
    int seatsOf(int room) const override { return problem_.instance().roomSeats[static_cast<std::size_t>(room)]; }
    std::string periodText(int period) const override;
    int studentsOf(int item) const override { return static_cast<int>(problem_.studentsOf(item).size()); }
    std::vector<DeskPlace> givenPins() const override;
    std::vector<DeskPlace> placementsOf(const Slots& slots) const override;
    std::unique_ptr<DeskFigures> figuresOf(const DeskState& state) const override;
    std::optional<std::string> contradictionIn(const DeskState& state) const override;
    std::vector<DeskClosing> closingsFor(int room, int period) const override;
    std::vector<DeskClosing> summedClosings(const DeskState& state) const override { return state.closings; }
    AnyInstance instanceToWrite(const DeskState& state) const override;
    Slots slotsFor(const AnyInstance& instance, const DeskState& state) const override;
    AnyInstance instanceToSolve(const DeskState& state, bool isCheap) const override;
    std::vector<DeskPlace> placementsOf(const AnyInstance& solved, const Slots& slots) const override;
    DeskComparison compare(const DeskState& state, const std::vector<DeskPlace>& result) const override;
    std::string pinTable(const DeskState& state) const override;
    std::string closingsFile(const DeskState& state) const override;
    std::string_view closingsFileName() const override { return "changed.tim"; }

private:
    /// The instance with the closings of the page, without pins.
    enrolment::Instance instanceOf(const DeskState& state) const;
    enrolment::Solution solutionOf(const std::vector<DeskPlace>& placements) const;

    enrolment::Instance base_;
    enrolment::Problem problem_;    ///< of the instance as it was given, without its pins
};

}    // namespace timetabling
