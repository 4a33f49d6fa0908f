#include <ferry/apps/timetabling/model/WeekNames.hpp>

#include <doctest/doctest.h>

using namespace timetabling;

TEST_CASE("WeekNames: without names, days and periods are numbers") {
    const WeekNames names;
    CHECK(names.day(2) == "day 2");
    CHECK(names.dayTitle(2) == "Day 2");
    CHECK(names.period(1) == "period 1");
    CHECK(names.periodTitle(1) == "1");
    CHECK(names.findDay("4", 5) == 4);
    CHECK(names.findDay("4.0", 5) == 4);
    CHECK_FALSE(names.findDay("5", 5));
    CHECK_FALSE(names.findDay("Monday", 5));
    CHECK_FALSE(names.findPeriod("", 5));
    CHECK(names.offsetOf(6) == 6);
    CHECK_FALSE(names.hasTimes());
}

TEST_CASE("WeekNames: names, begins and numbers find days and periods again") {
    WeekNames names;
    names.days = {"Monday A", "Tuesday A", "Monday B"};
    names.offsets = {0, 1, 7};
    names.periods = {{"1st", 495, 540}, {"", 550, 595}, {"Lunch", -1, -1}};
    CHECK(names.day(2) == "Monday B");
    CHECK(names.findDay("monday b", 3) == 2);
    CHECK(names.findDay("1", 3) == 1);
    CHECK(names.period(0) == "1st (08:15-09:00)");
    CHECK(names.period(1) == "09:10-09:55");
    CHECK(names.period(2) == "Lunch");
    for (int period = 0; period < 3; ++period) CHECK(names.findPeriod(names.periodCell(period), 3) == period);
    CHECK(names.findPeriod("8:15", 3) == 0);
    CHECK(names.findPeriod("1st (08:15-09:00)", 3) == 0);
    CHECK_FALSE(names.findPeriod("10:00", 3));
    CHECK(names.hasTimes());
}

TEST_CASE("WeekNames: periods whose names are numbers are found by these names only") {
    WeekNames names;
    names.periods = {{"1", -1, -1}, {"2", -1, -1}};
    CHECK(names.findPeriod("1", 2) == 0);
    CHECK_FALSE(names.findPeriod("0", 2));
    CHECK(names.period(0) == "period 1");
    names.periods = {{"1.0", -1, -1}, {"2.0", -1, -1}};
    CHECK(names.findPeriod("1", 2) == 0);
    CHECK_FALSE(names.findPeriod("0", 2));
    names.periods = {{"1", -1, -1}, {"01", -1, -1}, {"1.0", -1, -1}};
    for (int period = 0; period < 3; ++period) CHECK(names.findPeriod(names.periodCell(period), 3) == period);
}

TEST_CASE("readClockTime: usual ways to write a time are read, all others refused") {
    for (const char* text : {"8:15", "08:15", "08.15", "8h15", "08:15:00", "8:15 AM", "8:15am", "08:15:00 a.m."})
        CHECK(readClockTime(text) == 495);
    CHECK(readClockTime("1:15 PM") == 795);
    CHECK(readClockTime("12:00 PM") == 720);
    CHECK(readClockTime("12:05 AM") == 5);
    CHECK(readClockTime("24:00") == 1440);
    for (const char* text : {"", "8", "25:00", "8:60", "8:1", "24:01", "-1:00", ":15", "8:15x", "99999999999:00", "0.25", "0.34375",
                             "13:00 PM", "0:15 AM", "8:15 P", "AM", " . "})
        CHECK_FALSE(readClockTime(text));
}

TEST_CASE("WeekNames: capitals of other alphabets are the same, and numbers may have the zero of a spreadsheet") {
    WeekNames names;
    names.days = {"lundi", "mi\u00e9rcoles", "\u015broda", "\u03c4\u03c1\u03af\u03c4\u03b7", "\u0441\u0440\u0435\u0434\u0430"};
    CHECK(names.findDay("LUNDI", 5) == 0);
    CHECK(names.findDay("MI\u00c9RCOLES", 5) == 1);
    CHECK(names.findDay("\u015aRODA", 5) == 2);
    CHECK(names.findDay("\u0421\u0420\u0415\u0414\u0410", 5) == 4);
    CHECK(names.findDay("2,0", 5) == 2);
    CHECK(WeekNames().findPeriod("3.00", 5) == 3);
    CHECK_FALSE(WeekNames().findPeriod("3.5", 5));
    CHECK_FALSE(WeekNames().findPeriod("3.", 5));
}
