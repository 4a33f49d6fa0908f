#include <ferry/apps/timetabling/serve/LivePage.hpp>

#include <charconv>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/page/OnePage.hpp>
#include <ferry/apps/timetabling/report/page/PageStyle.hpp>
#include <ferry/apps/timetabling/report/page/Pages.hpp>
#include <ferry/apps/timetabling/serve/DeskPaths.hpp>

namespace timetabling {

namespace {

// The page is the same for every instance: all data arrive as JSON and are inserted as text.
constexpr std::string_view SearchPageHead = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Timetable search</title>
<style>
)html";

constexpr std::string_view SearchPageRest = R"html(
main { max-width: 60rem; margin: 0 auto; } #state { font-weight: 600; } td, thead th { text-align: right; overflow-wrap: normal; }
@media (max-width: 40rem) { svg text { font-size: 32px; } }
svg { width: 100%; height: auto; min-height: 12rem; border: 1px solid var(--line); } svg text { font-size: 16px; fill: var(--faint); } polyline { fill: none; stroke: var(--link); stroke-width: 2; }
</style>
</head>
<body>
<main>
<h1>Timetable search</h1>
<p id="name"></p>
<p id="state">asking</p>
<p><a href="./">The best timetable so far</a></p>
<noscript><p>What follows needs JavaScript.</p></noscript>
<h2>Cost of the best feasible timetable over time</h2>
<svg id="curve" viewBox="0 0 800 260" role="img" aria-label="Cost over time"></svg>
<h2>Slaves</h2>
<div class="wide" tabindex="0" role="region" aria-label="Table of the slaves"><table>
<thead><tr><th scope="col">Rank</th><th scope="col">At work on</th><th scope="col">For</th><th scope="col">So far: violations</th><th scope="col">Cost</th><th scope="col">Timetables brought</th><th scope="col">Million moves</th><th scope="col">Last one: violations</th><th scope="col">Cost</th><th scope="col">Brought</th></tr></thead>
<tbody id="slaves"></tbody>
</table></div>
</main>
<script>
(() => {
"use strict";
const find = id => document.getElementById(id);
const drawn = (tag, attributes, text) => {
    const element = find("curve").appendChild(document.createElementNS("http://www.w3.org/2000/svg", tag));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
};
const drawCurve = (state) => {
    const points = state.curve.filter(point => point[1] === 0);
    find("curve").textContent = "";
    if (points.length === 0) {
        drawn("text", {x: 20, y: 30}, "no feasible timetable yet");
        return;
    }
    const costs = points.map(point => point[2]);
    const most = Math.max(...costs), least = Math.min(...costs);
    const x = seconds => 60 + 720 * seconds / Math.max(state.seconds, 0.001);
    const y = cost => most === least ? 125 : 20 + 200 * (most - cost) / (most - least);
    const corners = [];
    points.forEach((point, i) => {
        if (i > 0) corners.push([x(point[0]), y(points[i - 1][2])]);
        corners.push([x(point[0]), y(point[2])]);
    });
    corners.push([x(state.seconds), y(points[points.length - 1][2])]);
    drawn("polyline", {points: corners.map(corner => corner.map(value => value.toFixed(1)).join(",")).join(" ")});
    drawn("text", {x: 8, y: y(most) + 4}, String(most));
    if (most !== least) drawn("text", {x: 8, y: y(least) + 4}, String(least));
    drawn("text", {x: 60, y: 250}, "0 s");
    drawn("text", {x: 780, y: 250, "text-anchor": "end"}, state.seconds.toFixed(0) + " s");
};
const show = (state) => {
    document.title = state.name + " - Timetable search";
    find("name").textContent = state.name;
    const best = !state.best ? "no timetable yet"
        : state.best.conflicts === 0 ? "feasible, cost " + state.best.cost
        : "infeasible: " + state.best.conflicts + " violations, cost " + state.best.cost;
    find("state").textContent = state.seconds.toFixed(0) + " s: " + best + "; " + (state.isOver ? "the search has ended" : state.tasks + " tasks under way");
    if (state.best && location.pathname.endsWith("/")) location.reload();    // the first timetable is there
    drawCurve(state);
    find("slaves").textContent = "";
    for (const slave of state.slaves) {
        const row = find("slaves").appendChild(document.createElement("tr"));
        const since = seconds => (state.seconds - seconds).toFixed(0) + " s";
        const reached = work => work && work.reached ? work.reached.slice(1) : ["", ""];
        const work = slave.work ? [slave.work.kind === "build" ? "a new timetable" : "a better one", since(slave.work.since)] : ["nothing", ""];
        const last = slave.last ? [slave.last[1], slave.last[2], since(slave.last[0]) + " ago"] : ["", "", "none yet"];
        const values = [slave.rank, ...work, ...reached(slave.work), slave.timetables, (slave.moves / 1e6).toFixed(1), ...last];
        for (const value of values) row.appendChild(document.createElement("td")).textContent = String(value);
    }
};
const ask = async () => {
    try {
        const reply = await fetch("status.json");
        show(await reply.json());
    } catch {
        find("state").textContent = "the program has ended, or does not answer; its last results are below";
    }
    setTimeout(ask, 1000);
};
ask();
})();
</script>
</body>
</html>
)html";

std::string searchPage() { return fmt::format("{}{}{}", SearchPageHead, pageStyle(), SearchPageRest); }

/// Returns the number between the begin and ".html", if it is less than 'count'.
std::optional<std::size_t> numberIn(std::string_view path, std::string_view begin, std::size_t count) {
    if (!path.starts_with(begin) || !path.ends_with(".html")) return std::nullopt;
    path.remove_prefix(begin.size());
    path.remove_suffix(std::string_view(".html").size());
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
    if (error != std::errc() || end != path.data() + path.size() || number >= count) return std::nullopt;
    return number;
}

}    // namespace

HttpAnswer LivePage::answer(const HttpRequest& request) {
    constexpr const char* plain = "text/plain; charset=utf-8";
    constexpr const char* html = "text/html; charset=utf-8";
    if (auto answer = DeskPaths(desk_).answer(request)) return std::move(*answer);
    if (request.isPost()) return {404, plain, "there is nothing to change at this address\n"};
    const std::string_view path = request.path();
    if (path == "/status.json") return {200, "application/json", state_.json()};
    if (path == "/search.html") return {200, html, searchPage()};
    const bool hasTimetable = update();
    if (path == "/" && !hasTimetable) return {200, html, searchPage()};
    if (path == "/timetable.html" && !hasTimetable) return {404, plain, "there is no timetable yet\n"};
    if (hasTimetable) {
        if (auto found = page(path)) return {200, html, std::move(*found)};
    }
    return {404, plain, "there is no such page\n"};
}

/// Takes in the present timetable. Returns whether there is one.
bool LivePage::update() {
    if (!desk_.hasTimetable()) return false;
    if (view_ && version_ == desk_.version()) return true;
    view_ = desk_.view(version_);
    setDates(*view_, term_);
    addresses_ = {};
    addresses_.desk = "./";
    for (std::size_t week = 0; week < view_->weeks.size(); ++week) addresses_.weeks.push_back(fmt::format("week-{}.html", week));
    for (int day = 0; day < view_->dayCount; ++day) addresses_.days.push_back(fmt::format("day-{}.html", day));
    index_ = Pages(*view_, addresses_).index(deskPanel());
    return true;
}

std::optional<std::string> LivePage::page(std::string_view path) const {
    if (path == "/") return index_;
    if (path == "/timetable.html") return writeOnePage(*view_);
    const Pages pages(*view_, addresses_);
    if (const auto week = numberIn(path, "/week-", addresses_.weeks.size())) return pages.week(*week);
    if (const auto day = numberIn(path, "/day-", addresses_.days.size())) return pages.day(*day);
    return std::nullopt;
}

/// Returns the controls of the desk. The script of the page shows them; without JavaScript they stay hidden.
std::string LivePage::deskPanel() const {
    const std::string search = "<p class=\"screen\"><a href=\"search.html\">How the search gets on</a></p>\n";
    std::string rooms;
    for (std::size_t i = 0; i < view_->weeks.size() && view_->weeks[i].kind == WeekKind::Room; ++i)
        rooms += fmt::format("<option value=\"{}\">{}</option>", i, escapeHtml(view_->weeks[i].name));
    std::string times;
    for (int period = 0; period < view_->dayCount * view_->periodsPerDay; ++period)
        times +=
            fmt::format("<option value=\"{}\">{} {}</option>", period, escapeHtml(view_->names.dayTitle(period / view_->periodsPerDay)),
                        escapeHtml(view_->names.period(period % view_->periodsPerDay)));
    return fmt::format(R"html(<section id="desk" data-version="{}" aria-labelledby="deskTitle" hidden>
<h2 id="deskTitle">What if</h2>
<p class="note">Choose a{} {} in the map: it shows what each other place costs.</p>
<p id="deskTold" role="status"></p>
<button id="newer" hidden>Show the newer timetable</button>
<div id="choice"></div>
<div class="line"><label>Room <select id="closeRoom"><option value="-1">all rooms</option>{}</select></label>
<label>Time <select id="closePeriod"><option value="-1">all week</option>{}</select></label>
<button id="close">Close</button><button id="open">Open again</button></div>
<div class="line"><label>Seconds <input id="seconds" type="number" min="1" max="86400" value="10"></label>
<label>Search <select id="keep"><option value="moves">with few moves</option><option value="cost">for the least cost</option></select></label>
<button id="solve">Solve again</button><button id="stop" hidden>Stop the search</button><button id="undo">Undo</button></div>
<ul id="changes"></ul>
<div id="proposal"></div>
<p class="line"><a href="timetable.html">One page to keep</a><a href="timetable.csv">Table</a><a href="pins.csv">Pins</a><a href="{}">{}</a><button id="end">End the program</button></p>
</section>
)html",
                       version_, desk_.model().isWholeItem() ? "n" : "", desk_.model().noun(), rooms, times,
                       desk_.model().closingsFileName(), desk_.model().isWholeItem() ? "Changed instance" : "Closed times") +
           search;
}

}    // namespace timetabling
