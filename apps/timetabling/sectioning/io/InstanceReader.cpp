#include <ferry/apps/timetabling/sectioning/io/InstanceReader.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/sectioning/io/timeSpanText.hpp>

namespace timetabling::sectioning {

namespace {

/// The items of one kind by their names.
class Index {
public:
    explicit Index(std::string kind) : kind_(std::move(kind)) {}

    /// Adds the item whose name is the attribute id. Returns the name.
    std::string add(const XmlElement& element) {
        std::string id = element.text("id");
        if (!indices_.emplace(id, static_cast<int>(indices_.size())).second)
            element.fail(fmt::format("expected another id for each {}, found '{}' twice", kind_, printable(id)));
        return id;
    }
    /// Returns the index of the item whose name is the attribute.
    int find(const XmlElement& element, const char* attribute) const {
        const std::string id = element.text(attribute);
        const auto found = indices_.find(id);
        if (found == indices_.end())
            element.fail(fmt::format("expected attribute {} of <{}>: the id of a {} of this file, found '{}'", attribute, element.name(),
                                     kind_, printable(id)));
        return found->second;
    }

private:
    std::string kind_;
    std::unordered_map<std::string, int> indices_;
};

/// Reads the parts of a file in the order in which they refer to each other.
class Reader {
public:
    explicit Reader(XmlFile& file) : file_(file) {}

    Instance read() {
        const XmlElement root = file_.root();
        requireProblem(root);
        root.knows({"name", "nrDays", "nrWeeks", "slotsPerDay"});
        instance_.name = root.text("name");
        instance_.dayCount = root.number("nrDays", 1, limits::DayCount);
        instance_.weekCount = root.number("nrWeeks", 1, limits::WeekCount);
        instance_.slotsPerDay = root.number("slotsPerDay", 1, limits::SlotsPerDay);
        std::vector<std::pair<std::string, XmlElement>> parts;
        root.forEach({"optimization", "rooms", "courses", "distributions", "students"}, [&](const XmlElement& part) {
            for (const auto& [name, other] : parts) {
                if (name == part.name()) part.fail(fmt::format("expected one <{}>, found another one in line {}", name, other.line()));
            }
            parts.emplace_back(std::string(part.name()), part);
        });
        const auto part = [&](const char* name) -> const XmlElement* {
            const auto found = std::find_if(parts.begin(), parts.end(), [name](const auto& one) { return one.first == name; });
            return found == parts.end() ? nullptr : &found->second;
        };
        for (const char* name : {"optimization", "courses"}) {
            if (part(name) == nullptr) root.fail(fmt::format("expected <{}> in <problem>, found none", name));
        }
        readWeights(*part("optimization"));
        if (const XmlElement* rooms = part("rooms")) readRooms(*rooms);
        readCourses(*part("courses"));
        if (const XmlElement* distributions = part("distributions")) readDistributions(*distributions);
        if (const XmlElement* students = part("students")) readStudents(*students);
        if (instance_.classes.empty()) part("courses")->fail("expected at least one class, found none");
        tellDropped();
        for (std::string& text : file_.leftOut()) instance_.notes.push_back(std::move(text));
        try {
            checkInstance(instance_);
        } catch (const std::invalid_argument& error) {
            throw InputError(file_.name(), error.what());
        }
        return std::move(instance_);
    }

private:
    static void requireProblem(const XmlElement& root) {
        if (root.name() == "problem") return;
        const std::string expected = "expected an instance of ITC-2019, whose first element is <problem>, found ";
        const std::string name(root.name());
        if (name == "fet")
            root.fail(expected +
                      "a file of the program FET; export it as CSV and fill in the tables of the README, which 'solve FOLDER' takes");
        if (name == "solution")
            root.fail(expected + "a timetable of ITC-2019; the instance comes first, and 'score' takes the timetable after it");
        if (name == "timetable" || name == "sectioning" || name == "examtt")
            root.fail(expected + "a file of the program UniTime, which can export in the format of ITC-2019");
        if (name == "HighSchoolTimetableArchive") root.fail(expected + "an archive of high school timetables (XHSTT)");
        root.fail(fmt::format("{}<{}>", expected, printable(name)));
    }

    void readWeights(const XmlElement& element) {
        element.knows({"time", "room", "distribution", "student"});
        const auto weight = [&element](const char* name) { return element.number(name, 0, limits::Penalty); };
        instance_.weights = {weight("time"), weight("room"), weight("distribution"), weight("student")};
    }

    TimeSpan readSpan(const XmlElement& element) const {
        TimeSpan span;
        span.days = static_cast<std::uint32_t>(readBits(element, "days", instance_.dayCount));
        span.weeks = readBits(element, "weeks", instance_.weekCount);
        span.start = element.number("start", 0, instance_.slotsPerDay - 1);
        span.length = element.number("length", 1, instance_.slotsPerDay);
        return span;
    }

    void readRooms(const XmlElement& rooms) {
        std::vector<XmlElement> elements;
        rooms.forEach({"room"}, [&](const XmlElement& element) {
            element.knows({"id", "capacity"});
            if (instance_.rooms.size() >= limits::RoomCount)
                element.fail(fmt::format("expected at most {} rooms, found more", limits::RoomCount));
            instance_.rooms.push_back({rooms_.add(element), element.number("capacity", 0, limits::PeopleOrSeats)});
            elements.push_back(element);
        });
        travels_.assign(elements.size() * elements.size(), -1);
        // Travels may lead to later rooms of the file.
        for (std::size_t room = 0; room < elements.size(); ++room) {
            elements[room].forEach({"travel", "unavailable"}, [&](const XmlElement& part) {
                if (part.name() == "travel") {
                    readTravel(part, static_cast<int>(room));
                } else {
                    part.knows({"days", "weeks", "start", "length"});
                    instance_.rooms[room].closings.push_back(readSpan(part));
                }
            });
        }
    }

    /// Travels go in both directions, and each is listed at one of its rooms.
    void readTravel(const XmlElement& element, int room) {
        element.knows({"room", "value"});
        const int other = rooms_.find(element, "room");
        const int slotCount = element.number("value", 0, limits::SlotsPerDay);
        const auto place = [this](int from, int to) -> std::int16_t& {
            return travels_[static_cast<std::size_t>(from) * instance_.rooms.size() + static_cast<std::size_t>(to)];
        };
        std::int16_t& known = place(room, other);
        if (known == slotCount) return;
        if (known >= 0)
            element.fail(fmt::format("expected one travel between rooms {} and {}, found {} and {} slots",
                                     printable(instance_.rooms[static_cast<std::size_t>(room)].id),
                                     printable(instance_.rooms[static_cast<std::size_t>(other)].id), known, slotCount));
        known = static_cast<std::int16_t>(slotCount);
        instance_.rooms[static_cast<std::size_t>(room)].travels.push_back({other, slotCount});
        if (room == other) return;
        place(other, room) = known;
        instance_.rooms[static_cast<std::size_t>(other)].travels.push_back({room, slotCount});
    }

    void readCourses(const XmlElement& courses) {
        std::vector<std::pair<int, XmlElement>> parents;    // classes with parents, which may come later in the file
        courses.forEach({"course"}, [&](const XmlElement& course) {
            course.knows({"id"});
            instance_.courses.push_back({courses_.add(course)});
            course.forEach({"config"}, [&](const XmlElement& config) {
                config.knows({"id"});
                instance_.courses.back().configs.push_back(static_cast<int>(instance_.configs.size()));
                instance_.configs.push_back({config.text("id"), static_cast<int>(instance_.courses.size()) - 1});
                config.forEach({"subpart"}, [&](const XmlElement& subpart) {
                    subpart.knows({"id"});
                    instance_.configs.back().subparts.push_back(static_cast<int>(instance_.subparts.size()));
                    instance_.subparts.push_back({subpart.text("id"), static_cast<int>(instance_.configs.size()) - 1});
                    subpart.forEach({"class"}, [&](const XmlElement& one) {
                        readClass(one);
                        if (one.attribute("parent")) parents.emplace_back(static_cast<int>(instance_.classes.size()) - 1, one);
                    });
                    if (instance_.subparts.back().classes.empty()) subpart.fail("expected a <class> in <subpart>, found none");
                });
                if (instance_.configs.back().subparts.empty()) config.fail("expected a <subpart> in <config>, found none");
            });
            if (instance_.courses.back().configs.empty()) course.fail("expected a <config> in <course>, found none");
        });
        for (const auto& [index, element] : parents) {
            const int parent = classes_.find(element, "parent");
            const auto configOf = [this](int one) {
                return instance_.subparts[static_cast<std::size_t>(instance_.classes[static_cast<std::size_t>(one)].subpart)].config;
            };
            const auto subpartOf = [this](int one) { return instance_.classes[static_cast<std::size_t>(one)].subpart; };
            if (configOf(parent) != configOf(index) || subpartOf(parent) == subpartOf(index))
                element.fail(fmt::format("expected as parent a class of another subpart of the same configuration, found '{}'",
                                         printable(element.text("parent"))));
            instance_.classes[static_cast<std::size_t>(index)].parent = parent;
        }
    }

    void readClass(const XmlElement& element) {
        element.knows({"id", "limit", "parent", "room"});
        if (instance_.classes.size() >= limits::ClassCount)
            element.fail(fmt::format("expected at most {} classes, found more", limits::ClassCount));
        Class one;
        one.id = classes_.add(element);
        one.subpart = static_cast<int>(instance_.subparts.size()) - 1;
        one.limit = element.number("limit", 0, limits::PeopleOrSeats, -1);
        one.needsRoom = readFlag(element, "room", true);
        std::set<std::tuple<std::uint32_t, std::uint64_t, int>> times;
        std::set<int> rooms;
        element.forEach({"time", "room"}, [&](const XmlElement& option) {
            if (option.name() == "time") {
                option.knows({"days", "weeks", "start", "length", "penalty"});
                const TimeOption time{readSpan(option), option.number("penalty", 0, limits::Penalty, 0)};
                if (time.span.days == 0 || time.span.weeks == 0)
                    option.fail("expected a time with at least one day and one week, found none");
                // A timetable names a time by days, weeks and start.
                if (times.emplace(time.span.days, time.span.weeks, time.span.start).second) {
                    one.times.push_back(time);
                } else {
                    noteDropped(option);
                }
            } else {
                option.knows({"id", "penalty"});
                const RoomOption room{rooms_.find(option, "id"), option.number("penalty", 0, limits::Penalty, 0)};
                if (rooms.insert(room.room).second) {
                    one.rooms.push_back(room);
                } else {
                    noteDropped(option);
                }
            }
        });
        if (one.times.empty()) element.fail(fmt::format("expected a <time> in class {}, found none", printable(one.id)));
        if (one.needsRoom && one.rooms.empty())
            element.fail(fmt::format("expected a <room> in class {}, or its attribute room=\"false\", found none", printable(one.id)));
        if (!one.needsRoom && !one.rooms.empty())
            element.fail(fmt::format("expected no <room> in class {}, which has the attribute room=\"false\"", printable(one.id)));
        instance_.subparts.back().classes.push_back(static_cast<int>(instance_.classes.size()));
        instance_.classes.push_back(std::move(one));
    }

    void noteDropped(const XmlElement& option) {
        if (dropped_++ == 0) firstDropped_ = option.line();
    }

    void tellDropped() {
        if (dropped_ == 0) return;
        instance_.notes.push_back(
            fmt::format("{}:{}: a class has the same time or room twice, here and in {} more places; the first one counts", file_.name(),
                        firstDropped_, dropped_ - 1));
    }

    static bool readFlag(const XmlElement& element, const char* name, bool otherwise) {
        const std::optional<std::string_view> found = element.attribute(name);
        if (!found) return otherwise;
        if (*found == "true") return true;
        if (*found != "false")
            element.fail(fmt::format("expected attribute {} of <{}>: true or false, {}", name, element.name(), foundInWords(*found)));
        return false;
    }

    void readDistributions(const XmlElement& distributions) {
        distributions.forEach({"distribution"}, [&](const XmlElement& element) {
            element.knows({"type", "required", "penalty"});
            Distribution distribution = readType(element);
            distribution.isRequired = readFlag(element, "required", false);
            if (!distribution.isRequired) distribution.penalty = element.number("penalty", 0, limits::Penalty);
            std::set<int> seen;
            element.forEach({"class"}, [&](const XmlElement& member) {
                member.knows({"id"});
                const int index = classes_.find(member, "id");
                if (!seen.insert(index).second)
                    member.fail(
                        fmt::format("expected each class once in a <distribution>, found '{}' twice", printable(member.text("id"))));
                distribution.classes.push_back(index);
            });
            if (distribution.classes.empty()) element.fail("expected a <class> in <distribution>, found none");
            instance_.distributions.push_back(std::move(distribution));
        });
    }

    /// Reads a type such as 'NotOverlap', 'MaxDays(2)' or 'MaxBreaks(1,4)'.
    static Distribution readType(const XmlElement& element) {
        const std::string text = element.text("type");
        const std::size_t bracket = text.find('(');
        const auto type = distributionTypeOf(std::string_view(text).substr(0, bracket));
        if (!type) {
            std::vector<std::string> names;
            for (int i = 0; i < DistributionTypeCount; ++i) names.emplace_back(nameOf(static_cast<DistributionType>(i)));
            element.fail(fmt::format("expected a type of ITC-2019 such as NotOverlap or MaxDays(2), {}{}", foundInWords(text),
                                     meantInstead(text.substr(0, bracket), names)));
        }
        Distribution distribution{*type};
        std::vector<int> numbers;
        if (bracket != std::string::npos && text.back() == ')') {
            const char* at = text.data() + bracket + 1;
            const char* const end = text.data() + text.size() - 1;
            for (bool isMore = at != end; isMore;) {
                int value = -1;
                const auto [next, error] = std::from_chars(at, end, value);
                const bool isGood = error == std::errc() && value >= 0 && value <= limits::PeopleOrSeats && (next == end || *next == ',');
                if (!isGood) {
                    numbers.assign(3, 0);    // more than any type has
                    break;
                }
                numbers.push_back(value);
                isMore = next != end;
                at = next + (isMore ? 1 : 0);
            }
        } else if (bracket != std::string::npos) {
            numbers.assign(3, 0);
        }
        const int count = parameterCount(*type);
        if (static_cast<int>(numbers.size()) != count) {
            const char* shape = count == 0 ? "" : count == 1 ? "(N)" : "(N,N)";
            element.fail(fmt::format("expected {}{}{}, {}", nameOf(*type), shape, count == 0 ? "" : ", where N are whole numbers",
                                     foundInWords(text)));
        }
        if (count > 0) distribution.first = numbers[0];
        if (count > 1) distribution.second = numbers[1];
        return distribution;
    }

    void readStudents(const XmlElement& students) {
        students.forEach({"student"}, [&](const XmlElement& element) {
            element.knows({"id"});
            if (instance_.students.size() >= limits::StudentCount)
                element.fail(fmt::format("expected at most {} students, found more", limits::StudentCount));
            Student student{students_.add(element)};
            element.forEach({"course"}, [&](const XmlElement& wish) {
                wish.knows({"id"});
                const int course = courses_.find(wish, "id");
                if (std::find(student.courses.begin(), student.courses.end(), course) != student.courses.end())
                    wish.fail(fmt::format("expected each course once in a <student>, found '{}' twice", printable(wish.text("id"))));
                if (student.courses.size() >= limits::CoursesPerStudent)
                    wish.fail(fmt::format("expected at most {} courses of a student, found more", limits::CoursesPerStudent));
                student.courses.push_back(course);
            });
            instance_.students.push_back(std::move(student));
        });
    }

    XmlFile& file_;
    Instance instance_;
    std::vector<std::int16_t> travels_;    ///< indexed by room and room; -1: not read yet
    Index rooms_{"room"};
    Index courses_{"course"};
    Index classes_{"class"};
    Index students_{"student"};
    std::size_t dropped_ = 0;
    std::size_t firstDropped_ = 0;
};

}    // namespace

Instance readInstance(const std::string& path) { return readInstance(XmlFile::load(path)); }

Instance readInstance(XmlFile file) { return Reader(file).read(); }

}    // namespace timetabling::sectioning
