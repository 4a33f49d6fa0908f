#include <ferry/apps/timetabling/serve/LivePage.hpp>

#include <ferry/apps/timetabling/report/page/OnePage.hpp>

namespace timetabling {

namespace {

// The page is the same for every instance: all data arrive as JSON and are inserted as text.
constexpr const char* Page = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Timetable search</title>
<style>
body { font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; margin: 1.5rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2733; background: #fff; }
h1, h2, p { overflow-wrap: anywhere; } h2 { margin-top: 1.8rem; font-size: 1.25rem; } #state { font-weight: 600; }
svg { width: 100%; height: auto; border: 1px solid #b9c4cf; } svg text { font-size: 12px; fill: #4d5c6b; } polyline { fill: none; stroke: #0b4f9e; stroke-width: 2; }
table { border-collapse: collapse; } th, td { border: 1px solid #b9c4cf; padding: .3rem .6rem; text-align: right; } thead th { background: #eef2f6; }
</style>
</head>
<body>
<h1>Timetable search</h1>
<p id="name"></p>
<p id="state">asking</p>
<p><a href="timetable.html">The best timetable so far</a></p>
<noscript><p>What follows needs JavaScript.</p></noscript>
<h2>Cost of the best feasible timetable over time</h2>
<svg id="curve" viewBox="0 0 800 260" role="img" aria-label="Cost over time"></svg>
<h2>Slaves</h2>
<table>
<thead><tr><th scope="col">Rank</th><th scope="col">At work on</th><th scope="col">For</th><th scope="col">So far: violations</th><th scope="col">Cost</th><th scope="col">Timetables brought</th><th scope="col">Million moves</th><th scope="col">Last one: violations</th><th scope="col">Cost</th><th scope="col">Brought</th></tr></thead>
<tbody id="slaves"></tbody>
</table>
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
    find("state").textContent = state.seconds.toFixed(0) + " s: " + best + "; " + state.tasks + " tasks under way";
    drawCurve(state);
    find("slaves").textContent = "";
    for (const slave of state.slaves) {
        const row = find("slaves").appendChild(document.createElement("tr"));
        const since = seconds => (state.seconds - seconds).toFixed(0) + " s";
        const reached = work => work && work.reached ? work.reached.slice(1) : ["", ""];
        const work = slave.work ? [slave.work.kind === "build" ? "a new timetable" : "a child", since(slave.work.since)] : ["nothing", ""];
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
        find("state").textContent = "the search has ended, or does not answer; its last results are below";
    }
    setTimeout(ask, 1000);
};
ask();
})();
</script>
</body>
</html>
)html";

}    // namespace

HttpAnswer LivePage::answer(std::string_view path) {
    if (path == "/") return {200, "text/html; charset=utf-8", Page};
    if (path == "/status.json") return {200, "application/json", state_.json()};
    if (path == "/timetable.html") return timetable();
    return {404, "text/plain; charset=utf-8", "there is no such page\n"};
}

HttpAnswer LivePage::timetable() {
    if (const auto best = state_.bestAfter(bestNumber_)) bestPage_ = writeOnePage(presenter_.view(best->slots));
    if (bestPage_.empty()) return {404, "text/plain; charset=utf-8", "there is no timetable yet\n"};
    return {200, "text/html; charset=utf-8", bestPage_};
}

}    // namespace timetabling
