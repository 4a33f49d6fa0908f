#include <ferry/apps/timetabling/curriculum/io/Disruption.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

namespace {

/// Makes disruptions of one kind after the other.
class Disrupter {
public:
    Disrupter(Instance& instance, const std::vector<PublishedLecture>& lectures, const DisruptionOptions& options)
        : instance_(instance),
          lectures_(lectures),
          options_(options),
          random_(options.seed) {}

    std::vector<std::string> run() {
        switch (options_.kind) {
            case DisruptionKind::Lecture: loseLectures(); break;
            case DisruptionKind::Period: losePeriods(); break;
            case DisruptionKind::Room: loseRooms(shuffled(instance_.rooms.size())); break;
            case DisruptionKind::LargestRoom: loseRooms(roomsBySize()); break;
            case DisruptionKind::RoomDay: closeRooms(); break;
            case DisruptionKind::TeacherDay: sendTeachersAway(); break;
            case DisruptionKind::Curriculum: growCurricula(); break;
        }
        return std::move(lines_);
    }

private:
    std::vector<int> shuffled(std::size_t count) {
        std::vector<int> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 0);
        random_.shuffle(numbers);
        return numbers;
    }

    /// Returns the first numbers of a random order.
    std::vector<int> some(std::size_t count, const char* noun) {
        require(count, noun);
        std::vector<int> numbers = shuffled(count);
        numbers.resize(static_cast<std::size_t>(options_.count));
        return numbers;
    }

    void require(std::size_t count, const char* noun) const {
        if (static_cast<std::size_t>(options_.count) > count)
            throw std::invalid_argument(fmt::format("--count: expected at most {} {}, found {}", count, noun, options_.count));
    }

    void close(int course, int day, int period) { instance_.unavailabilities.push_back({course, day, period}); }
    std::string timeOf(int day, int period) const { return instance_.names.day(day) + " " + instance_.names.period(period); }
    std::size_t periodCount() const {
        return static_cast<std::size_t>(instance_.dayCount) * static_cast<std::size_t>(instance_.periodsPerDay);
    }

    void loseLectures() {
        std::vector<const PublishedLecture*> placed;
        for (const PublishedLecture& lecture : lectures_) {
            if (lecture.period >= 0) placed.push_back(&lecture);
        }
        if (placed.empty()) throw std::invalid_argument("--kind lecture: expected --published with the timetable, found none");
        for (const int number : some(placed.size(), "lectures")) {
            const PublishedLecture& lecture = *placed[static_cast<std::size_t>(number)];
            const int day = lecture.period / instance_.periodsPerDay;
            const int period = lecture.period % instance_.periodsPerDay;
            close(lecture.course, day, period);
            lines_.push_back(fmt::format("{} is closed to course {}", timeOf(day, period),
                                         instance_.courses[static_cast<std::size_t>(lecture.course)].id));
        }
    }

    void losePeriods() {
        for (const int number : some(periodCount(), "periods")) {
            const int day = number / instance_.periodsPerDay;
            const int period = number % instance_.periodsPerDay;
            for (std::size_t course = 0; course < instance_.courses.size(); ++course) close(static_cast<int>(course), day, period);
            lines_.push_back(fmt::format("{} is closed", timeOf(day, period)));
        }
    }

    std::vector<int> roomsBySize() {
        std::vector<int> rooms = shuffled(instance_.rooms.size());
        std::stable_sort(rooms.begin(), rooms.end(), [this](int one, int other) {
            return instance_.rooms[static_cast<std::size_t>(one)].seatCount > instance_.rooms[static_cast<std::size_t>(other)].seatCount;
        });
        return rooms;
    }

    /// Takes the first rooms of the order out of the instance. One room has to stay.
    void loseRooms(std::vector<int> order) {
        require(order.size() - 1, "rooms");
        order.resize(static_cast<std::size_t>(options_.count));
        std::map<int, int> numbers;
        std::vector<Room> kept;
        for (int room = 0; room < static_cast<int>(instance_.rooms.size()); ++room) {
            const Room& one = instance_.rooms[static_cast<std::size_t>(room)];
            if (std::find(order.begin(), order.end(), room) != order.end()) {
                lines_.push_back(fmt::format("room {} with {} seats is gone", one.id, one.seatCount));
                continue;
            }
            numbers[room] = static_cast<int>(kept.size());
            kept.push_back(one);
        }
        // An instance has fewer buildings than rooms.
        std::map<int, int> buildings;
        for (Room& room : kept) room.building = buildings.try_emplace(room.building, static_cast<int>(buildings.size())).first->second;
        instance_.rooms = std::move(kept);
        const auto renumber = [&](auto& items) {
            std::erase_if(items, [&](const auto& item) { return !numbers.contains(item.room); });
            for (auto& item : items) item.room = numbers[item.room];
        };
        renumber(instance_.roomConstraints);
        renumber(instance_.roomClosings);
    }

    void closeRooms() {
        const auto days = static_cast<std::size_t>(instance_.dayCount);
        for (const int number : some(instance_.rooms.size() * days, "days of rooms")) {
            const int room = number / instance_.dayCount;
            const int day = number % instance_.dayCount;
            for (int period = 0; period < instance_.periodsPerDay; ++period) instance_.roomClosings.push_back({room, day, period});
            lines_.push_back(
                fmt::format("room {} is closed on {}", instance_.rooms[static_cast<std::size_t>(room)].id, instance_.names.day(day)));
        }
    }

    void sendTeachersAway() {
        std::map<std::string, std::vector<int>> courses;
        for (std::size_t course = 0; course < instance_.courses.size(); ++course) {
            courses[instance_.courses[course].teacher].push_back(static_cast<int>(course));
            for (const std::string& other : instance_.courses[course].otherTeachers) courses[other].push_back(static_cast<int>(course));
        }
        std::vector<std::string> teachers;
        for (const auto& [teacher, taught] : courses) teachers.push_back(teacher);
        for (const int number : some(teachers.size() * static_cast<std::size_t>(instance_.dayCount), "days of teachers")) {
            const std::string& teacher = teachers[static_cast<std::size_t>(number / instance_.dayCount)];
            const int day = number % instance_.dayCount;
            for (const int course : courses[teacher]) {
                for (int period = 0; period < instance_.periodsPerDay; ++period) close(course, day, period);
            }
            lines_.push_back(fmt::format("teacher {} is away on {}", teacher, instance_.names.day(day)));
        }
    }

    void growCurricula() {
        std::vector<std::pair<int, int>> pairs;
        for (std::size_t curriculum = 0; curriculum < instance_.curricula.size(); ++curriculum) {
            const std::vector<int>& members = instance_.curricula[curriculum].courses;
            for (std::size_t course = 0; course < instance_.courses.size(); ++course) {
                if (std::find(members.begin(), members.end(), static_cast<int>(course)) == members.end())
                    pairs.emplace_back(static_cast<int>(curriculum), static_cast<int>(course));
            }
        }
        for (const int number : some(pairs.size(), "courses outside of curricula")) {
            const auto& [curriculum, course] = pairs[static_cast<std::size_t>(number)];
            instance_.curricula[static_cast<std::size_t>(curriculum)].courses.push_back(course);
            lines_.push_back(fmt::format("course {} joins curriculum {}", instance_.courses[static_cast<std::size_t>(course)].id,
                                         instance_.curricula[static_cast<std::size_t>(curriculum)].id));
        }
    }

    Instance& instance_;
    const std::vector<PublishedLecture>& lectures_;
    const DisruptionOptions& options_;
    Random random_;
    std::vector<std::string> lines_;
};

}    // namespace

const std::vector<std::string>& disruptionNames() {
    static const std::vector<std::string> names{"lecture", "period", "room", "largest-room", "room-day", "teacher-day", "curriculum"};
    return names;
}

DisruptionKind disruptionOf(std::string_view name) {
    const std::vector<std::string>& names = disruptionNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw std::invalid_argument(
            fmt::format("--kind: expected {}, {}{}", fmt::join(names, ", "), foundInWords(name), meantInstead(name, names)));
    return static_cast<DisruptionKind>(found - names.begin());
}

std::vector<std::string> disrupt(Instance& instance, const std::vector<PublishedLecture>& lectures, const DisruptionOptions& options) {
    return Disrupter(instance, lectures, options).run();
}

}    // namespace timetabling::curriculum
