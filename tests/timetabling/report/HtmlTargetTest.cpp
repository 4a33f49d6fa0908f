#include <ferry/apps/timetabling/report/HtmlTarget.hpp>

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;

TEST_CASE("HtmlTarget: the ending of the name tells a page from a folder") {
    TimetableView view;
    view.dayCount = view.periodsPerDay = 1;
    for (const char* name : {"one.html", "two.HTM"}) {
        HtmlTarget(test::temporaryPath(name)).write(view);
        CHECK(std::filesystem::is_regular_file(test::temporaryPath(name)));
    }
    for (const char* name : {"pages", "pages.of/html", "page.html.d"}) {
        HtmlTarget(test::temporaryPath(name)).write(view);
        CHECK(std::filesystem::is_regular_file(test::temporaryPath(name) + "/index.html"));
    }
}

TEST_CASE("HtmlTarget: places that cannot be had are refused at once") {
    const std::string file = test::temporaryPath("plainFile");
    std::ofstream(file) << "text";
    std::filesystem::create_directory(test::temporaryPath("folder.html"));
    CHECK_THROWS_AS(HtmlTarget{file}, InputError);
    CHECK_THROWS_AS(HtmlTarget(file + "/pages"), InputError);
    CHECK_THROWS_AS(HtmlTarget(test::temporaryPath("folder.html")), InputError);
    CHECK_THROWS_AS(HtmlTarget(test::temporaryPath("missing/page.html")), InputError);
}
