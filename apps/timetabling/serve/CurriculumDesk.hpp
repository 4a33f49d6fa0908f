#pragma once

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/serve/DeskModel.hpp>

namespace timetabling {

/// Curriculum-based problems as a desk needs them.
class CurriculumDesk final : public DeskModel {
public:
    explicit CurriculumDesk(const curriculum::Instance& instance);

    const char* noun() const override { return "lecture"; }
    bool isWholeItem() const override { return false; }
    int itemCount() const override { return problem_.courseCount(); }
    int periodCount() const override { return problem_.periodCount(); }
    int roomCount() const override { return problem_.roomCount(); }
    std::string itemName(int item) const override { return problem_.course(item).id; }
    std::string roomName(int room) const override { return problem_.room(room).id; }
    int seatsOf(int room) const override { return problem_.room(room).seatCount; }
    std::string periodText(int period) const override { return problem_.periodText(period); }
    int studentsOf(int item) const override { return problem_.course(item).studentCount; }
    std::vector<DeskPlace> givenPins() const override;
    std::vector<DeskPlace> placementsOf(const Slots& slots) const override;
    std::unique_ptr<DeskFigures> figuresOf(const DeskState& state) const override;
    std::optional<std::string> contradictionIn(const DeskState& state) const override;
    std::vector<DeskClosing> closingsFor(int room, int period) const override;
    std::vector<DeskClosing> summedClosings(const DeskState& state) const override;
    AnyInstance instanceToWrite(const DeskState& state) const override;
    Slots slotsFor(const AnyInstance& instance, const DeskState& state) const override;
    AnyInstance instanceToSolve(const DeskState& state, bool isCheap) const override;
    std::vector<DeskPlace> placementsOf(const AnyInstance& solved, const Slots& slots) const override;
    DeskComparison compare(const DeskState& state, const std::vector<DeskPlace>& result) const override;
    std::string pinTable(const DeskState& state) const override;
    std::string closingsFile(const DeskState& state) const override;
    std::string_view closingsFileName() const override { return "closed.csv"; }

private:
    curriculum::Instance instanceOf(const DeskState& state) const;
    std::string placeText(const DeskPlace& place) const;

    curriculum::Instance base_;
    curriculum::Problem problem_;    ///< of the instance as it was given
};

}    // namespace timetabling
