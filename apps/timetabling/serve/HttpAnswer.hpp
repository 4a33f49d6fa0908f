#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace timetabling {

/// A request as the server has parsed it. The parser of Boost.Beast has checked its form and its size.
struct HttpRequest {
    std::string method = "GET";
    std::string target = "/";            ///< the path, and perhaps a query
    std::vector<std::string> hosts{};    ///< the values of all headers Host
    std::string origin{};                ///< the page that asks; empty: the browser does not say
    std::string type{};                  ///< media type of the body
    std::string body{};

    std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
    bool isPost() const { return method == "POST"; }
};

/// The answer of a server.
struct HttpAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";    ///< media type of the body
    std::string body{};
};

/// Says why a request is refused, and with which status.
class HttpRefusal : public std::runtime_error {
public:
    HttpRefusal(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
    int status() const { return status_; }

private:
    int status_;
};

/// Returns the answer for a request. Called in the server's thread.
using HttpHandler = std::function<HttpAnswer(const HttpRequest& request)>;

/// Returns a handler that answers only clients who know the token. The inner handler gets the path behind /TOKEN.
/// Other clients get status 403, since every user of the machine can reach this port.
HttpHandler behindToken(const std::string& token, HttpHandler handler);

/// Returns the answer to a request. The handler is not called for a request that is refused.
/// Only GET and POST are served, and only if Host is the loopback name of this machine with this port.
/// A browser can be made to resolve the name of another site to this machine. The check refuses requests from pages of that site.
/// A POST has to carry JSON: a page of another site cannot send that without asking first, and the server never allows it.
HttpAnswer answerRequest(const HttpRequest& request, std::uint16_t port, const HttpHandler& handler);

}    // namespace timetabling
