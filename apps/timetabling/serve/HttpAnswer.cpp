#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/lowered.hpp>

namespace timetabling {

namespace {

/// Returns the names under which browsers of this machine reach the port.
std::vector<std::string> ownHosts(std::uint16_t port) {
    std::vector<std::string> hosts;
    for (const char* name : {"127.0.0.1", "localhost"}) {
        hosts.push_back(fmt::format("{}:{}", name, port));
        if (port == 80) hosts.emplace_back(name);
    }
    return hosts;
}

void requireOwnHost(const HttpRequest& request, std::uint16_t port) {
    if (request.hosts.size() != 1) throw HttpRefusal(400, "expected one header Host");
    const std::vector<std::string> own = ownHosts(port);
    const auto isOwn = [&](const std::string& host) { return std::find(own.begin(), own.end(), lowered(host)) != own.end(); };
    if (!isOwn(request.hosts.front())) throw HttpRefusal(403, "expected 127.0.0.1 or localhost in the address, found another name");
    constexpr std::string_view scheme = "http://";
    if (request.origin.empty()) return;
    if (!request.origin.starts_with(scheme) || !isOwn(request.origin.substr(scheme.size())))
        throw HttpRefusal(403, "expected a page of this server, found a page of another site");
}

}    // namespace

HttpHandler behindToken(const std::string& token, HttpHandler handler) {
    return [begin = '/' + token, handler = std::move(handler)](const HttpRequest& request) -> HttpAnswer {
        const std::string_view path = request.path();
        const std::string_view said = path.substr(0, begin.size());
        if (said.size() == begin.size() && path.substr(begin.size()).starts_with('/')) {
            unsigned difference = 0;    // compares all characters, so that the duration reveals nothing about the token
            for (std::size_t i = 0; i < begin.size(); ++i) difference |= static_cast<unsigned char>(said[i] ^ begin[i]);
            if (difference == 0) {
                HttpRequest inner = request;
                inner.target.erase(0, begin.size());
                return handler(inner);
            }
        }
        return {403, "text/plain; charset=utf-8", "the address lacks the token that was printed at the start\n"};
    };
}

HttpAnswer answerRequest(const HttpRequest& request, std::uint16_t port, const HttpHandler& handler) {
    try {
        if (request.method != "GET" && request.method != "POST") throw HttpRefusal(405, "only GET and POST are served");
        if (!request.target.starts_with('/')) throw HttpRefusal(400, "expected a path");
        requireOwnHost(request, port);
        if (request.isPost() && lowered(request.type.substr(0, request.type.find(';'))) != "application/json")
            throw HttpRefusal(415, "expected a body of the type application/json");
        return handler(request);
    } catch (const HttpRefusal& refusal) {
        return {refusal.status(), "text/plain; charset=utf-8", std::string(refusal.what()) + "\n"};
    }
}

}    // namespace timetabling
