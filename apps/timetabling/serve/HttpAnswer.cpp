#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace timetabling {

namespace {

struct Refusal : std::runtime_error {
    Refusal(int code, const char* text) : std::runtime_error(text), status(code) {}
    int status;
};

std::string_view takeLine(std::string_view& text) {
    const std::size_t end = text.find("\r\n");
    if (end == std::string_view::npos) throw Refusal(400, "a line has no end");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 2);
    const auto isControl = [](char symbol) { return (static_cast<unsigned char>(symbol) < 0x20 && symbol != '\t') || symbol == 0x7F; };
    if (std::any_of(line.begin(), line.end(), isControl)) throw Refusal(400, "a line holds control characters");
    return line;
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char symbol) { return std::tolower(symbol); });
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Returns the path of a request line "GET /path?query HTTP/1.1".
std::string_view pathOf(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
    if (second == std::string_view::npos || !line.substr(second + 1).starts_with("HTTP/1."))
        throw Refusal(400, "expected a request of HTTP/1");
    if (line.substr(0, first) != "GET") throw Refusal(405, "only GET is served");
    const std::string_view target = line.substr(first + 1, second - first - 1);
    if (!target.starts_with('/')) throw Refusal(400, "expected a path");
    return target.substr(0, target.find('?'));
}

void requireHost(std::string_view headers, std::uint16_t port) {
    std::optional<std::string> host;
    for (std::string_view line = takeLine(headers); !line.empty(); line = takeLine(headers)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) throw Refusal(400, "expected a header");
        const std::string name = lowered(line.substr(0, colon));
        if (name != "host") continue;
        if (host) throw Refusal(400, "expected one header Host");
        host = lowered(trimmed(line.substr(colon + 1)));
    }
    if (!host) throw Refusal(400, "expected a header Host");
    for (const char* name : {"127.0.0.1", "localhost"}) {
        if (*host == fmt::format("{}:{}", name, port) || (port == 80 && *host == name)) return;
    }
    throw Refusal(403, "expected 127.0.0.1 or localhost in the address, found another name");
}

const char* reasonOf(int status) {
    switch (status) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 431: return "Request Header Fields Too Large";
        default: return "Internal Server Error";
    }
}

}    // namespace

HttpHandler behindToken(const std::string& token, HttpHandler handler) {
    return [begin = '/' + token, handler = std::move(handler)](std::string_view path) -> HttpAnswer {
        const std::string_view said = path.substr(0, begin.size());
        if (said.size() == begin.size() && path.substr(begin.size()).starts_with('/')) {
            unsigned difference = 0;    // compares all characters, so that the duration reveals nothing about the token
            for (std::size_t i = 0; i < begin.size(); ++i) difference |= static_cast<unsigned char>(said[i] ^ begin[i]);
            if (difference == 0) return handler(path.substr(begin.size()));
        }
        return {403, "text/plain; charset=utf-8", "the address lacks the token that was printed at the start\n"};
    };
}

HttpAnswer answerRequest(std::string_view head, std::uint16_t port, const HttpHandler& handler) {
    try {
        const std::string_view path = pathOf(takeLine(head));
        requireHost(head, port);
        return handler(path);
    } catch (const Refusal& refusal) {
        return {refusal.status, "text/plain; charset=utf-8", std::string(refusal.what()) + "\n"};
    }
}

std::string writeAnswer(const HttpAnswer& answer) {
    return fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n{}\r\n{}",
        answer.status, reasonOf(answer.status), answer.type, answer.body.size(), answer.status == 405 ? "Allow: GET\r\n" : "", answer.body);
}

}    // namespace timetabling
