#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace timetabling;

namespace httpAnswerTest {

constexpr std::uint16_t port = 8080;

HttpRequest requestFor(const std::string& target, const std::string& method = "GET") {
    HttpRequest request;
    request.method = method;
    request.target = target;
    request.hosts = {"127.0.0.1:8080"};
    request.type = "application/json";
    return request;
}

/// Returns the answer of a handler that answers with the path.
HttpAnswer ask(const HttpRequest& request, std::uint16_t ofPort = port) {
    return answerRequest(request, ofPort, [](const HttpRequest& inner) {
        return HttpAnswer{200, "text/plain", std::string(inner.path())};
    });
}

}    // namespace httpAnswerTest

using namespace httpAnswerTest;

TEST_CASE("HttpAnswer: a plain request gets to the handler, without its query") {
    CHECK(ask(requestFor("/")).body == "/");
    CHECK(ask(requestFor("/a/b?c=d")).body == "/a/b");
    CHECK(ask(requestFor("/a", "POST")).body == "/a");
    HttpRequest request = requestFor("/x");
    request.hosts = {"LocalHost:8080"};
    CHECK(ask(request).body == "/x");
    request.hosts = {"localhost"};
    CHECK(ask(request, 80).body == "/x");
}

TEST_CASE("HttpAnswer: a request for another host, or for none, is refused") {
    HttpRequest request = requestFor("/");
    for (const char* host : {"evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080.evil.example", "localhost",
                             "localhost:8080@evil.example", ""}) {
        CAPTURE(host);
        request.hosts = {host};
        CHECK(ask(request).status == 403);
    }
    request.hosts = {};
    CHECK(ask(request).status == 400);
    request.hosts = {"localhost:8080", "evil"};
    CHECK(ask(request).status == 400);
    request.hosts = {"localhost:8080", "localhost:8080"};
    CHECK(ask(request).status == 400);
}

TEST_CASE("HttpAnswer: a page of another site is refused") {
    HttpRequest request = requestFor("/undo", "POST");
    for (const char* origin : {"http://127.0.0.1:8080", "http://localhost:8080", ""}) {
        request.origin = origin;
        CHECK(ask(request).status == 200);
    }
    for (const char* origin :
         {"http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:80", "file://", "127.0.0.1:8080"}) {
        CAPTURE(origin);
        request.origin = origin;
        CHECK(ask(request).status == 403);
    }
}

TEST_CASE("HttpAnswer: a body has to be JSON, as no form of a page sends it") {
    HttpRequest request = requestFor("/undo", "POST");
    for (const char* type : {"application/json", "Application/JSON; charset=utf-8"}) {
        request.type = type;
        CHECK(ask(request).status == 200);
    }
    for (const char* type :
         {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx"}) {
        CAPTURE(type);
        request.type = type;
        CHECK(ask(request).status == 415);
    }
}

TEST_CASE("HttpAnswer: behind a token only requests with the token are answered") {
    const HttpHandler handler = behindToken("secret", [](const HttpRequest& request) {
        return HttpAnswer{200, "text/plain", std::string(request.path())};
    });
    CHECK(handler(requestFor("/secret/")).body == "/");
    CHECK(handler(requestFor("/secret/a/b?c")).body == "/a/b");
    for (const char* path :
         {"/", "", "/secret", "/secre/", "/secrets/", "/Secret/", "//secret/", "/a/secret/", "/?/secret/", "/secret?/"}) {
        CAPTURE(path);
        CHECK(handler(requestFor(path)).status == 403);
        CHECK(handler(requestFor(path, "POST")).status == 403);
    }
}

TEST_CASE("HttpAnswer: only GET and POST, and only paths") {
    for (const char* method : {"PUT", "DELETE", "HEAD", "OPTIONS", "get", "CONNECT", ""}) {
        CAPTURE(method);
        CHECK(ask(requestFor("/", method)).status == 405);
    }
    for (const char* target : {"x", "http://localhost:8080/", "*", ""}) CHECK(ask(requestFor(target)).status == 400);
}
