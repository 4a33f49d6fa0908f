#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace timetabling {

/// The answer of a server.
struct HttpAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";    ///< media type of the body
    std::string body;
};

/// Returns the answer for a path such as "/status.json"; nothing when the path does not exist. Called in the server's thread.
using HttpHandler = std::function<HttpAnswer(std::string_view path)>;

/// Returns a handler that answers only clients who know the token. The inner handler gets the path behind /TOKEN.
/// Other clients get status 403, since every user of the machine can reach this port.
HttpHandler behindToken(const std::string& token, HttpHandler handler);

/// Returns the answer to the head of a request, up to its empty line. A malformed head gets an error, and the handler is not called.
/// Only GET requests are served, and only if their Host is the loopback name of this machine with this port.
/// A browser can be made to resolve the name of another site to this machine. The check refuses requests from pages of that site.
HttpAnswer answerRequest(std::string_view head, std::uint16_t port, const HttpHandler& handler);

/// Returns the bytes of the answer. The connection is closed after them.
std::string writeAnswer(const HttpAnswer& answer);

}    // namespace timetabling
