#include <ferry/apps/timetabling/sectioning/io/InstanceWriter.hpp>

#include <cstddef>

#include <fmt/format.h>

#include <ferry/apps/timetabling/sectioning/io/timeSpanText.hpp>

namespace timetabling::sectioning {

namespace {

class Writer {
public:
    explicit Writer(const Instance& instance) : instance_(instance) {}

    std::string write() {
        text_ =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!DOCTYPE problem PUBLIC \"-//ITC 2019//DTD Problem Format/EN\" \"http://www.itc2019.org/competition-format.dtd\">\n";
        add("<problem name=\"{}\" nrDays=\"{}\" nrWeeks=\"{}\" slotsPerDay=\"{}\">\n", escapedForXml(instance_.name), instance_.dayCount,
            instance_.weekCount, instance_.slotsPerDay);
        const Weights& weights = instance_.weights;
        add("  <optimization time=\"{}\" room=\"{}\" distribution=\"{}\" student=\"{}\"/>\n", weights.time, weights.room,
            weights.distribution, weights.student);
        addRooms();
        text_ += "  <courses>\n";
        for (const Course& course : instance_.courses) addCourse(course);
        text_ += "  </courses>\n";
        addDistributions();
        addStudents();
        return text_ + "</problem>\n";
    }

private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    }

    std::string spanText(const TimeSpan& span) const {
        return fmt::format("days=\"{}\" start=\"{}\" length=\"{}\" weeks=\"{}\"", bitsText(span.days, instance_.dayCount), span.start,
                           span.length, bitsText(span.weeks, instance_.weekCount));
    }

    void addRooms() {
        text_ += "  <rooms>\n";
        for (std::size_t room = 0; room < instance_.rooms.size(); ++room) {
            const Room& one = instance_.rooms[room];
            add("    <room id=\"{}\" capacity=\"{}\">\n", escapedForXml(one.id), one.capacity);
            for (const Travel& travel : one.travels) {
                // A travel is listed at one of its two rooms.
                if (static_cast<std::size_t>(travel.room) <= room)
                    add("      <travel room=\"{}\" value=\"{}\"/>\n",
                        escapedForXml(instance_.rooms[static_cast<std::size_t>(travel.room)].id), travel.slotCount);
            }
            for (const TimeSpan& closing : one.closings) add("      <unavailable {}/>\n", spanText(closing));
            text_ += "    </room>\n";
        }
        text_ += "  </rooms>\n";
    }

    void addCourse(const Course& course) {
        add("    <course id=\"{}\">\n", escapedForXml(course.id));
        for (const int config : course.configs) {
            const Config& way = instance_.configs[static_cast<std::size_t>(config)];
            add("      <config id=\"{}\">\n", escapedForXml(way.id));
            for (const int subpart : way.subparts) {
                const Subpart& part = instance_.subparts[static_cast<std::size_t>(subpart)];
                add("        <subpart id=\"{}\">\n", escapedForXml(part.id));
                for (const int index : part.classes) addClass(instance_.classes[static_cast<std::size_t>(index)]);
                text_ += "        </subpart>\n";
            }
            text_ += "      </config>\n";
        }
        text_ += "    </course>\n";
    }

    void addClass(const Class& one) {
        add("          <class id=\"{}\"", escapedForXml(one.id));
        if (one.limit >= 0) add(" limit=\"{}\"", one.limit);
        if (one.parent >= 0) add(" parent=\"{}\"", escapedForXml(instance_.classes[static_cast<std::size_t>(one.parent)].id));
        text_ += one.needsRoom ? ">\n" : " room=\"false\">\n";
        for (const RoomOption& room : one.rooms)
            add("            <room id=\"{}\" penalty=\"{}\"/>\n", escapedForXml(instance_.rooms[static_cast<std::size_t>(room.room)].id),
                room.penalty);
        for (const TimeOption& time : one.times) add("            <time {} penalty=\"{}\"/>\n", spanText(time.span), time.penalty);
        text_ += "          </class>\n";
    }

    void addDistributions() {
        text_ += "  <distributions>\n";
        for (const Distribution& distribution : instance_.distributions) {
            std::string type = nameOf(distribution.type);
            if (parameterCount(distribution.type) == 1) type += fmt::format("({})", distribution.first);
            if (parameterCount(distribution.type) == 2) type += fmt::format("({},{})", distribution.first, distribution.second);
            add("    <distribution type=\"{}\" {}>\n", type,
                distribution.isRequired ? std::string("required=\"true\"") : fmt::format("penalty=\"{}\"", distribution.penalty));
            for (const int index : distribution.classes)
                add("      <class id=\"{}\"/>\n", escapedForXml(instance_.classes[static_cast<std::size_t>(index)].id));
            text_ += "    </distribution>\n";
        }
        text_ += "  </distributions>\n";
    }

    void addStudents() {
        text_ += "  <students>\n";
        for (const Student& student : instance_.students) {
            add("    <student id=\"{}\">\n", escapedForXml(student.id));
            for (const int course : student.courses)
                add("      <course id=\"{}\"/>\n", escapedForXml(instance_.courses[static_cast<std::size_t>(course)].id));
            text_ += "    </student>\n";
        }
        text_ += "  </students>\n";
    }

    const Instance& instance_;
    std::string text_;
};

}    // namespace

std::string writeInstance(const Instance& instance) { return Writer(instance).write(); }

}    // namespace timetabling::sectioning
