#include <ferry/apps/timetabling/serve/DeskPaths.hpp>

#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;

namespace deskPathsTest {

/// Two courses with a lecture each, one room, three periods.
struct Served {
    Served() : desk(test::plainInstance({1, 1}, 1, 3)), paths(desk) {
        desk.follow({0, 1});
        desk.open();
    }

    HttpAnswer get(const std::string& path) { return ask("GET", path, ""); }
    HttpAnswer post(const std::string& path, const std::string& body) { return ask("POST", path, body); }
    HttpAnswer ask(const std::string& method, const std::string& path, const std::string& body) {
        HttpRequest request;
        request.method = method;
        request.target = path;
        request.body = body;
        return paths.answer(request).value_or(HttpAnswer{404, "", ""});
    }
    /// Returns the body of a request, with the present version before the other members.
    std::string body(const std::string& members = "") const {
        return "{\"version\":" + std::to_string(desk.version()) + (members.empty() ? "" : ",") + members + "}";
    }

    Desk desk;
    DeskPaths paths;
};

}    // namespace deskPathsTest

using deskPathsTest::Served;

TEST_CASE("DeskPaths: each path answers") {
    Served served;
    for (const char* path : {"/desk.json", "/free.json", "/timetable.json", "/places/0/0.json", "/places/1/1.json"}) {
        CAPTURE(path);
        CHECK(served.get(path).status == 200);
        CHECK(served.get(path).type == "application/json");
        CHECK(nlohmann::json::accept(served.get(path).body));
    }
    for (const char* path : {"/timetable.csv", "/pins.csv", "/closed.csv"}) CHECK(served.get(path).type == "text/csv; charset=utf-8");
    CHECK(served.get("/move").status == 404);
    CHECK(served.post("/desk.json", "{}").status == 404);
    CHECK(served.post("/elsewhere", "not even JSON").status == 404);
}

TEST_CASE("DeskPaths: changes are made, and answered with the new state") {
    Served served;
    const auto state = [&](const HttpAnswer& answer) {
        CHECK(answer.status == 200);
        return nlohmann::json::parse(answer.body);
    };
    CHECK(state(served.post("/move", served.body(R"("course":0,"period":0,"toPeriod":2,"toRoom":0)")))["undoable"] == 1);
    CHECK(state(served.post("/pin", served.body(R"("course":0,"period":2,"toRoom":-1)")))["pins"][0]["room"] == -1);
    CHECK(state(served.post("/unpin", served.body(R"("course":0,"period":2)")))["pins"].empty());
    CHECK(state(served.post("/close", served.body(R"("room":0,"period":1)")))["closings"].size() == 1);
    CHECK(state(served.post("/open", served.body(R"("room":0,"period":1)")))["closings"].empty());
    CHECK(state(served.post("/undo", served.body()))["closings"].size() == 1);
    CHECK(state(served.post("/solve", served.body(R"("seconds":2.5,"keep":"moves")")))["isSearching"] == true);
    CHECK(state(served.post("/stop", "{}"))["isSearching"] == true);
    std::optional<DeskOrder> order = served.desk.takeOrder();
    while (order && order->kind != DeskOrder::Kind::Solve) order = served.desk.takeOrder();
    REQUIRE(order);
    served.desk.propose(order->instance, {0, 2}, "");
    CHECK(state(served.post("/take", served.body()))["proposal"].is_null());
    CHECK(served.post("/discard", served.body()).status == 409);
    CHECK(state(served.post("/leave-out", served.body(R"("course":1,"period":2)")))["leftOut"][0]["course"] == 1);
    CHECK(served.get("/places/1/left-out.json").status == 200);
    CHECK(state(served.post("/place", served.body(R"("course":1,"toPeriod":2,"toRoom":0)")))["leftOut"].empty());
    CHECK(served.get("/places/1/left-out.json").status == 404);
    CHECK(served.post("/end", "{}").status == 200);
}

TEST_CASE("DeskPaths: malformed requests are refused, and change nothing") {
    Served served;
    const std::string before = served.get("/desk.json").body;
    for (const std::string path :
         {"/places/", "/places/0", "/places/0/", "/places/0/0", "/places/x/0.json", "/places/0/0.jsonx", "/places/0/0.json/",
          "/places/99999999999/0.json", "/places/0x0/0.json", "/places//0.json", "/places/-1/0.json", "/places/0/-1.json",
          "/places/2/0.json", "/places/2/left-out.json", "/places/0/left-out"}) {
        CAPTURE(path);
        CHECK(served.get(path).status == 400);
    }
    CHECK(served.get("/places/0/2.json").status == 404);    // no lecture is there
    for (const std::string& body : {std::string(), std::string("["), std::string("[]"), std::string("null"), std::string("1"),
                                    std::string("\xFF"), std::string("{\"version\":-1}"), std::string("{\"version\":\"1\"}"),
                                    std::string("{}"), std::string(60000, '['), std::string("{\"version\":1e99}")}) {
        CAPTURE(body.substr(0, 40));
        CHECK(served.post("/undo", body).status == 400);
        CHECK(served.post("/move", body).status == 400);
        CHECK(served.post("/place", body).status == 400);
        CHECK(served.post("/leave-out", body).status == 400);
    }
    for (const char* members :
         {R"("course":0,"period":0,"toPeriod":2)", R"("course":0.5,"period":0,"toPeriod":2,"toRoom":0)",
          R"("course":"0","period":0,"toPeriod":2,"toRoom":0)", R"("course":1e9,"period":0,"toPeriod":2,"toRoom":0)",
          R"("course":99999999999999999999,"period":0,"toPeriod":2,"toRoom":0)",
          R"("course":18446744073709551615,"period":0,"toPeriod":2,"toRoom":0)", R"("course":null,"period":0,"toPeriod":2,"toRoom":0)"}) {
        CAPTURE(members);
        CHECK(served.post("/move", served.body(members)).status == 400);
    }
    for (const char* members : {R"("seconds":"1","keep":"moves")", R"("seconds":1)", R"("seconds":1,"keep":"all")",
                                R"("seconds":1,"keep":7)", R"("seconds":-1,"keep":"moves")", R"("keep":"moves")"}) {
        CAPTURE(members);
        CHECK(served.post("/solve", served.body(members)).status == 400);
    }
    CHECK(served.get("/desk.json").body == before);
}
