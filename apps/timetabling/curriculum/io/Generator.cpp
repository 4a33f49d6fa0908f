#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

namespace {

constexpr std::array<std::string_view, 20> Programmes{
    "Physics",    "Biology", "Law",       "History",    "Medicine",  "Computing",  "Chemistry", "Economics", "Philosophy",  "Geology",
    "Literature", "Music",   "Mechanics", "Statistics", "Surveying", "Psychology", "Astronomy", "Transport", "Linguistics", "Architecture"};

constexpr std::array<std::string_view, 40> Surnames{"Adams",  "Baker",  "Conti",    "Dupont",  "Eriksen", "Fischer", "Garcia", "Hansen",
                                                    "Ivanov", "Jansen", "Kowalski", "Lehmann", "Moreau",  "Novak",   "Olsen",  "Petrov",
                                                    "Quinn",  "Rossi",  "Santos",   "Tanaka",  "Ueda",    "Vogel",   "Weber",  "Xu",
                                                    "Yilmaz", "Zieli",  "Bianchi",  "Costa",   "Duarte",  "Evans",   "Farkas", "Gruber",
                                                    "Horvat", "Ilic",   "Jensen",   "Keller",  "Larsson", "Martin",  "Nowak",  "Orlov"};

constexpr int CoursesPerGroup = 6;    ///< courses of one year of a programme
constexpr int YearsPerProgramme = 3;

/// A course with the periods that it has in the hidden timetable.
struct Draft {
    int group = 0;
    int teacher = 0;
    std::vector<int> periods;
};

class Generator {
public:
    explicit Generator(const GeneratorOptions& options)
        : options_(options),
          random_(options.seed),
          periodCount_(options.dayCount * options.periodsPerDay) {}

    Instance generate() {
        makeCourses();
        placeLectures();
        makeRooms();
        makeCurricula();
        closePeriods();
        instance_.name = fmt::format("Faculty-{}-{}", options_.courseCount, options_.seed);
        instance_.dayCount = options_.dayCount;
        instance_.periodsPerDay = options_.periodsPerDay;
        return std::move(instance_);
    }

private:
    std::string programmeOf(int group) const {
        const auto programme = static_cast<std::size_t>(group / YearsPerProgramme);
        const std::size_t round = programme / Programmes.size();
        return fmt::format("{}{}", Programmes[programme % Programmes.size()], round == 0 ? "" : std::to_string(round + 1));
    }
    /// Returns three letters for the programme of the group. A number follows when the list of programmes has been used up and begins
    /// again.
    std::string codeOf(int group) const {
        const std::string programme = programmeOf(group);
        std::string code = programme.substr(0, 3);
        std::transform(code.begin(), code.end(), code.begin(), [](unsigned char symbol) { return std::toupper(symbol); });
        for (const char symbol : programme) {
            if (symbol >= '0' && symbol <= '9') code += symbol;
        }
        return code;
    }
    static int yearOf(int group) { return group % YearsPerProgramme + 1; }

    void makeCourses() {
        const int groupCount = (options_.courseCount + CoursesPerGroup - 1) / CoursesPerGroup;
        const int teacherCount = std::max(1, options_.courseCount * 4 / 5);
        std::vector<int> studentsOfGroup;
        for (int group = 0; group < groupCount; ++group)
            studentsOfGroup.push_back(25 + random_.below(40) + (random_.below(3) == 0 ? 80 : 0));
        for (int course = 0; course < options_.courseCount; ++course) {
            Draft draft;
            draft.group = course / CoursesPerGroup;
            draft.teacher = course < teacherCount ? course : random_.below(teacherCount);
            drafts_.push_back(draft);
            const auto round = static_cast<std::size_t>(draft.teacher) / Surnames.size();
            const std::string_view surname = Surnames[static_cast<std::size_t>(draft.teacher) % Surnames.size()];
            const int students = studentsOfGroup[static_cast<std::size_t>(draft.group)];
            Course made;
            made.id = fmt::format("{}-{}{:02}", codeOf(draft.group), yearOf(draft.group), course % CoursesPerGroup + 1);
            made.teacher = fmt::format("{}{}", surname, round == 0 ? "" : std::to_string(round + 1));
            made.studentCount = course % CoursesPerGroup < 4 ? students : std::max(5, students / (2 + random_.below(3)));
            instance_.courses.push_back(std::move(made));
        }
    }

    /// Fills the hidden timetable. No group and no teacher has two lectures in one period, and no period has more lectures than rooms.
    void placeLectures() {
        constexpr std::array<int, 10> Lectures{1, 2, 2, 3, 3, 3, 4, 4, 5, 5};
        const auto periods = static_cast<std::size_t>(periodCount_);
        const int most = std::max(options_.courseCount, options_.roomCount * periodCount_ * 4 / 5);
        std::vector<int> inPeriod(periods, 0);
        std::vector<std::vector<bool>> isGroupBusy(drafts_.size(), std::vector<bool>(periods, false));
        std::vector<std::vector<bool>> isTeacherBusy = isGroupBusy;
        std::vector<int> order(periods);
        std::iota(order.begin(), order.end(), 0);
        int placed = 0;
        for (std::size_t course = 0; course < drafts_.size(); ++course) {
            Draft& draft = drafts_[course];
            std::vector<bool>& groupBusy = isGroupBusy[static_cast<std::size_t>(draft.group)];
            std::vector<bool>& teacherBusy = isTeacherBusy[static_cast<std::size_t>(draft.teacher)];
            const int coursesLeft = static_cast<int>(drafts_.size() - course);
            const int wanted =
                std::min(Lectures[static_cast<std::size_t>(random_.below(10))], std::max(1, most - placed - coursesLeft + 1));
            random_.shuffle(order);
            for (const int period : order) {
                const auto at = static_cast<std::size_t>(period);
                if (static_cast<int>(draft.periods.size()) == wanted) break;
                if (groupBusy[at] || teacherBusy[at] || inPeriod[at] == options_.roomCount) continue;
                groupBusy[at] = true;
                teacherBusy[at] = true;
                ++inPeriod[at];
                ++placed;
                draft.periods.push_back(period);
            }
            if (draft.periods.empty()) {
                throw std::invalid_argument(fmt::format("{} courses do not fit into {} rooms, {} days and {} periods per day",
                                                        options_.courseCount, options_.roomCount, options_.dayCount,
                                                        options_.periodsPerDay));
            }
            finishCourse(draft, instance_.courses[course]);
        }
    }

    void finishCourse(const Draft& draft, Course& course) {
        course.lectureCount = static_cast<int>(draft.periods.size());
        course.minWorkingDays = std::max(1, std::min(course.lectureCount, options_.dayCount) - (random_.below(4) == 0 ? 1 : 0));
    }

    /// Makes the rooms. The largest room holds the largest course of every period, the next one the second largest, and so on.
    void makeRooms() {
        std::vector<std::vector<int>> students(static_cast<std::size_t>(periodCount_));
        for (std::size_t course = 0; course < drafts_.size(); ++course) {
            for (const int period : drafts_[course].periods) {
                students[static_cast<std::size_t>(period)].push_back(instance_.courses[course].studentCount);
            }
        }
        std::vector<int> seats(static_cast<std::size_t>(options_.roomCount), 15);
        for (std::vector<int>& inPeriod : students) {
            std::sort(inPeriod.begin(), inPeriod.end(), std::greater<>());
            for (std::size_t i = 0; i < inPeriod.size(); ++i) seats[i] = std::max(seats[i], (inPeriod[i] + 4) / 5 * 5);
        }
        random_.shuffle(seats);
        constexpr int RoomsPerBuilding = 6;
        for (int room = 0; room < options_.roomCount; ++room) {
            const int building = room / RoomsPerBuilding;
            const std::string wing = building < 26 ? "" : std::to_string(building / 26 + 1);
            const std::string id = fmt::format("{}{}.{}", static_cast<char>('A' + building % 26), wing, room % RoomsPerBuilding + 1);
            instance_.rooms.push_back({id, seats[static_cast<std::size_t>(room)]});
        }
    }

    bool meetTogether(int courseA, int courseB) const {
        const std::vector<int>& a = drafts_[static_cast<std::size_t>(courseA)].periods;
        const std::vector<int>& b = drafts_[static_cast<std::size_t>(courseB)].periods;
        return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
    }

    /// Makes the curricula. A curriculum has most courses of a group, and some courses of other groups without a clash in the hidden
    /// timetable.
    /// The first course of each group is in many curricula.
    void makeCurricula() {
        const int groupCount = (options_.courseCount + CoursesPerGroup - 1) / CoursesPerGroup;
        for (int i = 0; i < options_.curriculumCount; ++i) {
            const int group = i % groupCount;
            const int variant = i / groupCount;
            Curriculum curriculum;
            curriculum.id = fmt::format("{}-{}{}", programmeOf(group), yearOf(group),
                                        variant < 26 ? std::string(1, static_cast<char>('a' + variant)) : fmt::format(".{}", variant + 1));
            const int first = group * CoursesPerGroup;
            const int last = std::min(first + CoursesPerGroup, options_.courseCount);
            for (int course = first; course < last; ++course) {
                if (variant == 0 || course - first < 3 || random_.below(2) == 0) curriculum.courses.push_back(course);
            }
            for (int elective = 2 + random_.below(3); elective > 0; --elective) {
                const bool isPopular = random_.below(2) == 0;
                const int course = isPopular ? random_.below(groupCount) * CoursesPerGroup : random_.below(options_.courseCount);
                const bool clashes = std::any_of(curriculum.courses.begin(), curriculum.courses.end(),
                                                 [&](int member) { return member == course || meetTogether(member, course); });
                if (!clashes) curriculum.courses.push_back(course);
            }
            instance_.curricula.push_back(std::move(curriculum));
        }
    }

    /// Closes periods. Every teacher is away at some of the times at which the hidden timetable does not need her.
    void closePeriods() {
        std::vector<std::vector<int>> coursesOfTeacher(drafts_.size());
        for (std::size_t course = 0; course < drafts_.size(); ++course) {
            coursesOfTeacher[static_cast<std::size_t>(drafts_[course].teacher)].push_back(static_cast<int>(course));
        }
        for (const std::vector<int>& courses : coursesOfTeacher) {
            std::vector<bool> isAway(static_cast<std::size_t>(periodCount_), false);
            if (random_.below(2) == 0) {
                const int day = random_.below(options_.dayCount);
                for (int i = 0; i < options_.periodsPerDay; ++i) isAway[static_cast<std::size_t>(day * options_.periodsPerDay + i)] = true;
            }
            for (int i = random_.below(periodCount_ / 3 + 1); i > 0; --i)
                isAway[static_cast<std::size_t>(random_.below(periodCount_))] = true;
            for (const int course : courses) {
                for (const int period : drafts_[static_cast<std::size_t>(course)].periods) isAway[static_cast<std::size_t>(period)] = false;
            }
            for (const int course : courses) {
                for (int period = 0; period < periodCount_; ++period) {
                    if (!isAway[static_cast<std::size_t>(period)]) continue;
                    instance_.unavailabilities.push_back({course, period / options_.periodsPerDay, period % options_.periodsPerDay});
                }
            }
        }
    }

    GeneratorOptions options_;
    Random random_;
    int periodCount_;
    std::vector<Draft> drafts_;
    Instance instance_;
};

void check(const char* what, int found, int least, int most) {
    if (found < least || found > most)
        throw std::invalid_argument(fmt::format("{}: expected {} to {}, found {}", what, least, most, found));
}

}    // namespace

Instance generateInstance(const GeneratorOptions& options) {
    check("courses", options.courseCount, 1, limits::CourseCount);
    check("rooms", options.roomCount, 1, limits::RoomCount);
    check("days", options.dayCount, 1, limits::DayCount);
    check("periods per day", options.periodsPerDay, 1, limits::PeriodsPerDay);
    check("curricula", options.curriculumCount, 0, limits::CurriculumCount);
    Instance instance = Generator(options).generate();
    checkInstance(instance);
    return instance;
}

}    // namespace timetabling::curriculum
