#include <ferry/apps/timetabling/serve/DeskPaths.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace timetabling {

namespace {

/// Names may hold bytes that are not UTF-8. The answer replaces such bytes and does not refuse the name.
HttpAnswer jsonAnswer(const Desk::Json& document, int status = 200) {
    return {status, "application/json", document.dump(-1, ' ', false, Desk::Json::error_handler_t::replace)};
}

/// Returns the number at the begin of the text, and removes it and the text behind it. Errors: HttpRefusal.
int takeNumber(std::string_view& text, std::string_view behind) {
    int number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    const std::string_view rest(end, static_cast<std::size_t>(last - end));
    if (error != std::errc() || !rest.starts_with(behind)) throw HttpRefusal(400, "expected a path such as places/3/7.json");
    text = rest.substr(behind.size());
    return number;
}

/// The members of a request that changes something.
class Members {
public:
    explicit Members(const std::string& body) {
        constexpr int mostDepth = 3;    // nested deeper, a body is no request, and a parser could use much memory
        const auto refuseDepth = [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) { return depth <= mostDepth; };
        members_ = nlohmann::json::parse(body, refuseDepth, false);
        if (!members_.is_object()) throw HttpRefusal(400, "expected a JSON object");
    }

    int number(const char* name) const {
        const auto found = members_.find(name);
        if (found == members_.end() || !found->is_number_integer() || std::abs(found->get<double>()) > 1e9)
            throw HttpRefusal(400, fmt::format("{}: expected a whole number", name));
        return found->get<int>();
    }
    int numberOr(const char* name, int missing) const { return members_.contains(name) ? number(name) : missing; }
    double seconds() const {
        const auto found = members_.find("seconds");
        if (found == members_.end() || !found->is_number()) throw HttpRefusal(400, "seconds: expected a number");
        return found->get<double>();
    }
    bool isCheap() const {
        const auto found = members_.find("keep");
        if (found == members_.end() || (*found != "moves" && *found != "cost"))
            throw HttpRefusal(400, "keep: expected \"moves\" (as few as possible) or \"cost\"");
        return *found == "cost";
    }
    std::uint64_t version() const {
        const auto found = members_.find("version");
        if (found == members_.end() || !found->is_number_unsigned())
            throw HttpRefusal(400, "version: expected the version of the timetable that is shown");
        return found->get<std::uint64_t>();
    }

private:
    nlohmann::json members_;
};

}    // namespace

std::optional<HttpAnswer> DeskPaths::answer(const HttpRequest& request) {
    try {
        if (!request.isPost()) return get(request.path());
        if (!post(request.path(), request)) return std::nullopt;
        return jsonAnswer(desk_.state());
    } catch (const HttpRefusal& refusal) {
        return jsonAnswer({{"error", refusal.what()}}, refusal.status());
    }
}

std::optional<HttpAnswer> DeskPaths::get(std::string_view path) const {
    constexpr const char* table = "text/csv; charset=utf-8";
    if (path == "/desk.json") return jsonAnswer(desk_.state());
    if (path == "/free.json") return jsonAnswer(desk_.freeRooms());
    if (path == "/timetable.csv") return HttpAnswer{200, table, desk_.document(Desk::Document::Csv)};
    if (path == "/timetable.json") return HttpAnswer{200, "application/json", desk_.document(Desk::Document::Json)};
    if (path == "/pins.csv") return HttpAnswer{200, table, desk_.document(Desk::Document::Pins)};
    const std::string_view closings = desk_.model().closingsFileName();
    if (path == fmt::format("/{}", closings))
        return HttpAnswer{200, closings.ends_with(".csv") ? table : "text/plain; charset=utf-8", desk_.document(Desk::Document::Closings)};
    constexpr std::string_view places = "/places/";
    if (!path.starts_with(places)) return std::nullopt;
    path.remove_prefix(places.size());
    const int course = takeNumber(path, "/");
    if (path == "left-out.json") return jsonAnswer(desk_.placesForLeftOut(course));
    const int period = takeNumber(path, ".json");
    if (!path.empty()) throw HttpRefusal(400, "expected a path such as places/3/7.json");
    return jsonAnswer(desk_.places(course, period));
}

/// Makes the change. Returns whether the path is one of the desk's.
bool DeskPaths::post(std::string_view path, const HttpRequest& request) {
    const auto isOneOf = [&](std::initializer_list<std::string_view> paths) {
        for (const std::string_view one : paths) {
            if (one == path) return true;
        }
        return false;
    };
    if (!isOneOf({"/move", "/place", "/leave-out", "/pin", "/unpin", "/close", "/open", "/solve", "/stop", "/take", "/discard", "/undo",
                  "/end"}))
        return false;
    const Members members(request.body);
    if (path == "/stop") {
        desk_.stop();
    } else if (path == "/end") {
        desk_.end();
    } else if (path == "/move") {
        desk_.move(members.version(), members.number("course"), members.number("period"), members.number("toPeriod"),
                   members.number("toRoom"));
    } else if (path == "/place") {
        desk_.place(members.version(), members.number("course"), members.number("toPeriod"), members.number("toRoom"));
    } else if (path == "/leave-out") {
        desk_.leaveOut(members.version(), members.number("course"), members.number("period"));
    } else if (path == "/pin") {
        desk_.pin(members.version(), members.number("course"), members.number("period"),
                  members.numberOr("toPeriod", members.number("period")), members.number("toRoom"));
    } else if (path == "/unpin") {
        desk_.unpin(members.version(), members.number("course"), members.number("period"));
    } else if (path == "/close" || path == "/open") {
        desk_.setClosed(members.version(), members.number("room"), members.number("period"), path == "/close");
    } else if (path == "/solve") {
        desk_.solve(members.version(), members.seconds(), members.isCheap());
    } else if (path == "/take") {
        desk_.take(members.version());
    } else if (path == "/discard") {
        desk_.discard(members.version());
    } else {
        desk_.undo(members.version());
    }
    return true;
}

}    // namespace timetabling
