#include <ferry/tests/timetabling/support/SectioningInstances.hpp>

#include <cstddef>

namespace timetabling::sectioning {

Instance fixedClasses(const std::vector<FixedClass>& classes) {
    Instance instance;
    instance.name = "fixed";
    instance.dayCount = 5;
    instance.weekCount = 4;
    instance.slotsPerDay = 100;
    instance.weights = {1, 1, 1, 1};
    instance.rooms = {{"A", 10, {{1, 3}}}, {"B", 10, {{0, 3}}}};
    instance.courses = {{"course", {0}}};
    instance.configs = {{"config", 0, {}}};
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const int index = static_cast<int>(i);
        instance.configs[0].subparts.push_back(index);
        instance.subparts.push_back({"part" + std::to_string(i), 0, {index}});
        Class one{"class" + std::to_string(i), index};
        one.times = {{classes[i].span, 0}};
        one.needsRoom = classes[i].room >= 0;
        if (one.needsRoom) one.rooms = {{classes[i].room, 0}};
        instance.classes.push_back(one);
    }
    return instance;
}

std::string smallXml() {
    return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE problem PUBLIC "-//ITC 2019//DTD Problem Format/EN" "http://www.itc2019.org/competition-format.dtd">
<!-- a small one -->
<problem name="small" nrDays="7" nrWeeks="13" slotsPerDay="288">
  <optimization time="2" room="1" distribution="3" student="5"/>
  <rooms>
    <room id="R1" capacity="50"/>
    <room id="R2" capacity="100">
      <travel room="R1" value="2"/>
    </room>
    <room id="R3" capacity="80">
      <travel room="R2" value="3"/>
      <unavailable days="1100000" start="102" length="24" weeks="1111111111111"/>
    </room>
  </rooms>
  <courses>
    <course id="Physics">
      <config id="1">
        <subpart id="1">
          <class id="Lec1" limit="20">
            <room id="R1" penalty="0"/>
            <room id="R2" penalty="10"/>
            <time days="1010100" start="90" length="10" weeks="1111111111111" penalty="0"/>
            <time days="0101000" start="96" length="15" weeks="1111111111111" penalty="2"/>
          </class>
          <class id="Lec2" limit="20">
            <room id="R3" penalty="0"/>
            <time days="1000000" start="86" length="18" weeks="0101010101010" penalty="0"/>
          </class>
        </subpart>
        <subpart id="2">
          <class id="Lab1" parent="Lec1" room="false">
            <time days="0000100" start="96" length="22" weeks="1000000000000" penalty="2"/>
            <time days="0010000" start="108" length="22" weeks="0100000000000" penalty="0"/>
          </class>
          <class id="Lab2" limit="1" parent="Lec2" room="false">
            <time days="0000100" start="96" length="22" weeks="1000000000000" penalty="2"/>
          </class>
        </subpart>
      </config>
    </course>
    <course id="Law">
      <config id="2">
        <subpart id="3">
          <class id="Sem" limit="30">
            <room id="R2" penalty="1"/>
            <time days="1000000" start="99" length="12" weeks="1111111111111" penalty="0"/>
          </class>
        </subpart>
      </config>
    </course>
  </courses>
  <distributions>
    <distribution type="SameAttendees" required="true">
      <class id="Lec1"/>
      <class id="Sem"/>
    </distribution>
    <distribution type="MaxBreaks(1,4)" penalty="2">
      <class id="Lec1"/>
      <class id="Lec2"/>
      <class id="Sem"/>
    </distribution>
  </distributions>
  <students>
    <student id="1">
      <course id="Physics"/>
      <course id="Law"/>
    </student>
    <student id="2">
      <course id="Physics"/>
    </student>
  </students>
</problem>
)xml";
}

}    // namespace timetabling::sectioning
