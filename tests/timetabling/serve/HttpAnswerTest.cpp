#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

#include <string>

#include <doctest/doctest.h>

using namespace timetabling;

namespace {

constexpr std::uint16_t Port = 8080;

/// Returns the status of the answer. The test handler returns its path as the body.
HttpAnswer ask(const std::string& head, std::uint16_t port = Port) {
    return answerRequest(head, port, [](std::string_view path) { return HttpAnswer{200, "text/plain", std::string(path)}; });
}

}    // namespace

TEST_CASE("HttpAnswer: a plain request gets to the handler, without its query") {
    CHECK(ask("GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n").body == "/");
    CHECK(ask("GET /a/b?c=d HTTP/1.0\r\nAccept: x\r\nhOST: \t LocalHost:8080 \r\n\r\n").body == "/a/b");
    CHECK(ask("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 80).body == "/x");
}

TEST_CASE("HttpAnswer: a request for another host, or for none, is refused") {
    for (const char* host : {"evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8080.evil.example", "localhost",
                             "localhost:8080@evil.example", ""}) {
        CAPTURE(host);
        CHECK(ask(std::string("GET / HTTP/1.1\r\nHost: ") + host + "\r\n\r\n").status == 403);
    }
    CHECK(ask("GET / HTTP/1.1\r\n\r\n").status == 400);
    CHECK(ask("GET / HTTP/1.1\r\nHost: localhost:8080\r\nHost: evil\r\n\r\n").status == 400);
    CHECK(ask("GET / HTTP/1.1\r\nHost : localhost:8080\r\n\r\n").status == 400);
}

TEST_CASE("HttpAnswer: behind a token only requests with the token are answered") {
    const HttpHandler handler = behindToken("secret", [](std::string_view path) { return HttpAnswer{200, "text/plain", std::string(path)}; });
    CHECK(handler("/secret/").body == "/");
    CHECK(handler("/secret/a/b").body == "/a/b");
    for (const char* path : {"/", "", "/secret", "/secre/", "/secrets/", "/Secret/", "//secret/", "/a/secret/"}) {
        CAPTURE(path);
        CHECK(handler(path).status == 403);
    }
}

TEST_CASE("HttpAnswer: only GET, and only what is HTTP") {
    for (const char* method : {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get"}) {
        CAPTURE(method);
        CHECK(ask(std::string(method) + " / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n").status == 405);
    }
    for (const std::string line : {"", "GET", "GET /", "GET / ", "GET  / HTTP/1.1", "GET x HTTP/1.1", "GET http://localhost:8080/ HTTP/1.1",
                                   "GET / HTTP/2", "GET / HTTP", "\x16\x03\x01", "GET /\x7F HTTP/1.1"}) {
        CAPTURE(line);
        CHECK(ask(line + "\r\nHost: localhost:8080\r\n\r\n").status == 400);
    }
    CHECK(ask("").status == 400);
    CHECK(ask("GET / HTTP/1.1\r\nno header\r\nHost: localhost:8080\r\n\r\n").status == 400);
    CHECK(ask("GET / HTTP/1.1\r\nHost: localhost:8080\r\n").status == 400);
    CHECK(ask("GET / HTTP/1.1\r\nA: " + std::string(1, '\0') + "\r\nHost: localhost:8080\r\n\r\n").status == 400);
}

TEST_CASE("HttpAnswer: the bytes say how long the body is, and that the connection is closed") {
    const std::string bytes = writeAnswer({404, "text/plain", "none\n"});
    CHECK(bytes.starts_with("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n"));
    CHECK(bytes.ends_with("\r\n\r\nnone\n"));
    CHECK(writeAnswer({405, "text/plain", ""}).find("\r\nAllow: GET\r\n") != std::string::npos);
}
