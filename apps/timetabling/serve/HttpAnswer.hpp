#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace timetabling {

/// What a server answers.
struct HttpAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";    ///< of the body
    std::string body;
};

/// Finds the answer to a path such as "/status.json"; called in the server's thread. Nothing: there is no such thing.
using HttpHandler = std::function<HttpAnswer(std::string_view path)>;

/// A handler that answers only clients who know the token. It is asked for the paths behind /TOKEN. Others get 403, since every user of the
/// machine can reach this port.
HttpHandler behindToken(const std::string& token, HttpHandler handler);

/// The answer to the head of a request, everything up to its empty line; a hostile one gets an error, and the handler is not asked.
/// Only GET is served, and only who asks for this machine by its loopback name and this port: a page of another site, which a browser
/// may be made to take for this one, does not.
HttpAnswer answerRequest(std::string_view head, std::uint16_t port, const HttpHandler& handler);

/// The bytes of the answer, after which the connection is closed.
std::string writeAnswer(const HttpAnswer& answer);

}    // namespace timetabling
