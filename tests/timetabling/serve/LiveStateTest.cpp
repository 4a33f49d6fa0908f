#include <ferry/apps/timetabling/serve/LiveState.hpp>

#include <chrono>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/serve/LivePage.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;

TEST_CASE("LiveState: shows the timetables of the slaves, and the best cost over time") {
    LiveState live("small \xFF");
    live.begin(3);
    CHECK(nlohmann::json::parse(live.json())["best"].is_null());
    live.setTasksUnderWay(4);
    live.found({{1}, 1, 50});
    live.answered(2, 1, 10, {{1}, 1, 50});
    live.found({{2}, 0, 70});
    live.answered(1, 2, 20, {{2}, 0, 70});
    live.answered(2, 3, 30, {{3}, 0, 90});
    const nlohmann::json state = nlohmann::json::parse(live.json());
    CHECK(state["name"] == "small \xEF\xBF\xBD");
    CHECK(state["tasks"] == 4);
    CHECK(state["best"] == nlohmann::json::parse(R"({"conflicts":0,"cost":70})"));
    REQUIRE(state["curve"].size() == 2);
    CHECK(state["curve"][0][1] == 1);
    CHECK(state["curve"][1][2] == 70);
    REQUIRE(state["slaves"].size() == 3);
    CHECK(state["slaves"][1]["rank"] == 2);
    CHECK(state["slaves"][1]["timetables"] == 2);
    CHECK(state["slaves"][1]["moves"] == 40);
    CHECK(state["slaves"][1]["last"][2] == 90);
    CHECK(state["slaves"][2]["last"].is_null());
}

TEST_CASE("LiveState: shows the task of each slave until its timetable arrives") {
    LiveState live("small");
    live.begin(2);
    const auto workOf = [&](int rank) { return nlohmann::json::parse(live.json())["slaves"][static_cast<std::size_t>(rank - 1)]["work"]; };
    CHECK(workOf(1).is_null());
    live.began(1, 7, true);
    live.began(2, 8, false);
    CHECK(workOf(1)["kind"] == "build");
    CHECK(workOf(1)["since"] >= 0);
    CHECK(workOf(1)["reached"].is_null());
    CHECK(workOf(2)["kind"] == "improve");
    live.cameTo(1, 7, {{5}, 0, 40});
    CHECK(workOf(1)["reached"][1] == 0);
    CHECK(workOf(1)["reached"][2] == 40);
    live.answered(1, 7, 1, {{5}, 0, 40});
    CHECK(workOf(1).is_null());
    live.cameTo(1, 7, {{5}, 0, 30});    // a report of a task that is over
    CHECK(workOf(1).is_null());
    live.began(2, 9, true);    // noted before the answer to the previous task
    live.answered(2, 8, 1, {{5}, 0, 40});
    CHECK(workOf(2)["kind"] == "build");
    live.cameTo(2, 9, {{5}, 0, 20});
    CHECK(workOf(2)["reached"][2] == 20);
}

TEST_CASE("LiveState: a long curve is thinned out, its ends stay") {
    LiveState live("small");
    constexpr int Count = 5000;
    for (int i = 0; i < Count; ++i) live.found({{}, 0, Count - i});
    const nlohmann::json curve = nlohmann::json::parse(live.json())["curve"];
    CHECK(curve.size() <= 1000);
    CHECK(curve.size() > 400);
    CHECK(curve.front()[2] == Count);
    CHECK(curve.back()[2] == 1);
}

TEST_CASE("LiveState: may be read while it is written") {
    LiveState live("small");
    std::thread writer([&] {
        for (int i = 0; i < 2000; ++i) live.found({{i}, 0, 2000 - i});
    });
    for (int i = 0; i < 50; ++i) CHECK(nlohmann::json::accept(live.json()));
    writer.join();
    CHECK(nlohmann::json::parse(live.json())["best"]["cost"] == 1);
}

TEST_CASE("LiveState: a search that is over keeps its time, and the next one begins anew") {
    LiveState live("small");
    live.begin(1);
    live.found({{1}, 0, 5});
    live.began(1, 3, false);
    CHECK(nlohmann::json::parse(live.json())["isOver"] == false);
    live.end();
    const nlohmann::json over = nlohmann::json::parse(live.json());
    CHECK(over["isOver"] == true);
    CHECK(over["slaves"][0]["work"].is_null());
    CHECK(nlohmann::json::parse(live.json())["seconds"] == over["seconds"]);
    live.begin(2);
    const nlohmann::json next = nlohmann::json::parse(live.json());
    CHECK(next["isOver"] == false);
    CHECK(next["best"].is_null());
    CHECK(next["curve"].empty());
    CHECK(next["slaves"].size() == 2);
}

namespace livePageTest {

HttpAnswer get(LivePage& page, const std::string& path) {
    HttpRequest request;
    request.target = path;
    return page.answer(request);
}

}    // namespace livePageTest

using livePageTest::get;

TEST_CASE("LivePage: shows the search until there is a timetable, and then the timetable") {
    const curriculum::Instance instance = test::plainInstance({1, 1}, 1, 2);
    LiveState live("small");
    Desk desk(instance);
    LivePage page(live, desk);
    CHECK(get(page, "/").body.starts_with("<!DOCTYPE html>"));
    CHECK(get(page, "/").body == get(page, "/search.html").body);
    CHECK(get(page, "/status.json").type == "application/json");
    CHECK(get(page, "/timetable.html").status == 404);
    CHECK(get(page, "/week-0.html").status == 404);
    CHECK(get(page, "/etc/passwd").status == 404);
    desk.follow({0, 1});
    const std::string first = get(page, "/timetable.html").body;
    CHECK(first.find("Room r0") != std::string::npos);
    CHECK(get(page, "/timetable.html").body == first);
    CHECK(get(page, "/").body.find("id=\"desk\"") != std::string::npos);
    CHECK(first.find("id=\"desk\"") == std::string::npos);
    for (const char* path : {"/week-0.html", "/week-4.html", "/day-0.html", "/search.html"}) CHECK(get(page, path).status == 200);
    for (const char* path : {"/week-5.html", "/day-1.html", "/week--1.html", "/week-.html", "/week-0x.html",
                             "/week-99999999999999999999.html", "/week-0", "/students.html"}) {
        CAPTURE(path);
        CHECK(get(page, path).status == 404);
    }
    desk.follow({1, 0});
    CHECK(get(page, "/timetable.html").body != first);
    HttpRequest request;
    request.method = "POST";
    CHECK(page.answer(request).status == 404);
}

TEST_CASE("LivePage: a post-enrolment timetable has a desk too, and a term gives the days their dates") {
    using namespace std::chrono_literals;
    const enrolment::Problem problem = test::generatedEnrolment(true, 1, 30, 3);
    LiveState live("events");
    Desk desk(problem.instance());
    Term term;
    term.firstDay = 2026y / 10 / 5;
    LivePage page(live, desk, term);
    desk.follow(Slots(30, -1));
    const std::string first = get(page, "/").body;
    CHECK(first.find("id=\"desk\"") != std::string::npos);
    CHECK(first.find("Choose an event in the map") != std::string::npos);
    CHECK(first.find("href=\"changed.tim\"") != std::string::npos);
    CHECK(first.find("data-first=\"2026-10-05\"") != std::string::npos);
    CHECK(get(page, "/changed.tim").type == "text/plain; charset=utf-8");
    CHECK(get(page, "/closed.csv").status == 404);
}
