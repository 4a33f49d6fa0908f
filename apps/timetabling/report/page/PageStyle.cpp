#include <ferry/apps/timetabling/report/page/PageStyle.hpp>

namespace timetabling {

namespace {

// Violations are marked by words and borders too, since print in black and white has no colours. On paper, the filter dims no week.
constexpr std::string_view Style = R"css(
:root { color-scheme: light; --ink: #1c2733; --faint: #4d5c6b; --line: #b9c4cf; --hard: #a31515; --soft: #7a4d00; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; margin: 1.5rem auto; max-width: 90rem; padding: 0 1rem; color: var(--ink); background: #fff; }
h1 { margin: .2rem 0; font-size: 1.7rem; } h2 { margin: 1.8rem 0 .5rem; font-size: 1.25rem; } h3 { margin: 1.1rem 0 .3rem; font-size: 1.05rem; }
h1, h2, h3, p, li, td, th, .name, a { overflow-wrap: anywhere; unicode-bidi: isolate; }
a { color: #0b4f9e; } :focus-visible { outline: 3px solid #0b4f9e; outline-offset: 2px; }
nav { margin: .6rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; }
.note { color: var(--faint); margin: .1rem 0; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { font-weight: 600; margin: .4rem 0; } .good { color: #14602c; } .hard { color: var(--hard); } .soft { color: var(--soft); }
.filter { margin: .8rem 0; } .filter input { font: inherit; margin-left: .4rem; padding: .25rem .5rem; border: 1px solid var(--faint); border-radius: 4px; width: min(22rem, 100%); }
.filter output { margin-left: .6rem; color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
thead th, tfoot th { background: #eef2f6; } th { font-weight: 600; } caption { text-align: left; color: var(--faint); padding: .2rem 0; }
table.amounts th, table.amounts td { overflow-wrap: normal; } .pair table.amounts { font-size: .87em; }
table.list { width: 100%; min-width: 38rem; table-layout: fixed; } table.list th:nth-child(2) { width: 25%; } table.list th[scope=row] { font-weight: 400; } table.list .number { width: 6.2rem; }
table.courses { min-width: 50rem; } table.courses th:first-child { width: 15%; } table.courses th:nth-child(2) { width: 15%; }
td.places span { display: inline-block; margin-right: 1rem; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(15rem, 22rem); gap: 0 1.5rem; align-items: start; }
.pair.clean { grid-template-columns: minmax(0, 1fr); } .pair h2, .pair h3 { margin-top: .4rem; }
table.week { width: 100%; min-width: 36rem; table-layout: fixed; margin-bottom: 1rem; } table.week td { height: 2.4rem; padding: .2rem; }
table.week th:first-child { width: 4.6rem; }
.lecture { border: 1px solid #9db4cc; border-radius: 4px; background: #e9f1fa; color: var(--ink); padding: .15rem .35rem; margin-bottom: .2rem; overflow-wrap: anywhere; }
.lecture .name { font-weight: 600; } .lecture .detail { color: var(--faint); font-size: .87em; display: block; } .lecture .mark { font-size: .82em; font-weight: 600; display: block; }
.lecture .kept { font-size: .82em; font-style: italic; display: block; }
.lecture.soft { background: #fff6dc; border: 2px dashed var(--soft); } .lecture.soft .mark { color: var(--soft); }
.lecture.hard { background: #fdeaea; border: 3px double var(--hard); border-left-width: 8px; border-left-style: solid; } .lecture.hard .mark { color: var(--hard); }
.detail a, .mark a { color: inherit; }
ol.remarks, ul.remarks { padding-left: 1.6rem; margin: .3rem 0; } .remarks li { margin-bottom: .25rem; } .remarks b { margin-right: .35rem; }
.remarks li:target { outline: 3px solid #0b4f9e; outline-offset: 2px; }
.dim { opacity: .25; } [hidden] { display: none !important; }
@media (max-width: 62rem) { .pair { grid-template-columns: minmax(0, 1fr); } table.amounts { font-size: .87em; } .filter input { margin-left: 0; } }
@page { size: A4; margin: 12mm; } @page week { size: A4 landscape; margin: 10mm; }
@media print {
body { margin: 0; max-width: none; padding: 0; font-size: 9.5pt; color: #000; --faint: #333; }
nav, .filter, .screen { display: none !important; } a { color: inherit; text-decoration: none; } .dim { opacity: 1; }
.wide { overflow: visible; } table.list { min-width: 0; } .weekPage, .weekSection { page: week; } section.weekSection, table.amounts { break-inside: avoid; }
.explanation { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 2rem; } .pair { grid-template-columns: minmax(0, 1fr); }
thead { display: table-header-group; } tr, li, .lecture { break-inside: avoid; } h1, h2, h3 { break-after: avoid; }
table.week { min-width: 0; } table.week td { height: 1.4rem; padding: .1rem; }
.remarks { margin: 0; } .remarks li { margin: 0 0 .1rem; } .remarks li:last-child { margin: 0; } .lecture, .lecture.soft, .lecture.hard { background: #fff; }
.lecture .mark, .verdict, .remarks b { color: #000 !important; }
}
)css";

constexpr std::string_view Script = R"js(
(() => {
"use strict";
const field = document.getElementById("filter");
const made = (tag, parent, text) => {
    const element = parent.appendChild(document.createElement(tag));
    if (text !== undefined) element.textContent = text;
    return element;
};
const applyFilter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
    let matching = 0, all = 0;
    for (const part of document.querySelectorAll("[data-filter]")) {
        const text = part.textContent.toLowerCase();
        const matches = words.every(word => text.includes(word));
        if (part.dataset.filter === "hide") part.hidden = !matches;
        else part.classList.toggle("dim", !matches);
        if (part.tagName === "LI") continue;
        all += 1;
        matching += matches ? 1 : 0;
    }
    for (const group of document.querySelectorAll("[data-group]"))
        group.hidden = words.length > 0 && !group.querySelector("[data-filter]:not([hidden])");
    document.getElementById("matching").textContent = words.length > 0 ? matching + " of " + all + " shown" : "";
};
if (field) {
    field.closest(".filter").hidden = false;
    field.addEventListener("input", applyFilter);
    window.addEventListener("pageshow", applyFilter);
}

const data = document.getElementById("data");
if (!data) return;
const {days, periods, events, students} = JSON.parse(data.textContent);
const number = document.getElementById("student");
const week = document.getElementById("week");
const grid = (student) => {
    const table = made("table", week);
    table.className = "week";
    made("caption", table, "The week of student " + student);
    const head = made("tr", made("thead", table));
    made("th", head, "Period").scope = "col";
    for (let day = 0; day < days; ++day) made("th", head, "Day " + day).scope = "col";
    const body = made("tbody", table);
    for (let period = 0; period < periods; ++period) {
        const row = made("tr", body);
        made("th", row, String(period)).scope = "row";
        for (let day = 0; day < days; ++day) {
            const cell = made("td", row);
            for (const event of students[student][0].filter(event => events[event][0] === day * periods + period)) {
                const lecture = made("div", cell);
                lecture.className = "lecture";
                made("span", lecture, events[event][1]).className = "name";
                for (const [text, link] of events[event][2]) {
                    const detail = made("span", lecture);
                    detail.className = "detail";
                    if (link) made("a", detail, text).href = link;
                    else detail.textContent = text;
                }
            }
        }
    }
};
const showStudent = () => {
    week.textContent = "";
    const found = /^\s*[0-9]+\s*$/.test(number.value) ? Number(number.value) : -1;
    const told = document.getElementById("found");
    if (!(found in students)) {
        told.textContent = number.value.trim() ? "there is no such student" : "";
        return;
    }
    told.textContent = "student " + found;
    grid(found);
    made("h2", week, "What is wrong");
    if (students[found][1].length === 0) made("p", week, "Nothing.").className = "good";
    const list = made("ul", week);
    list.className = "remarks";
    for (const text of students[found][1]) made("li", list, text);
};
const takeAddress = () => {
    if (location.hash.length > 1) number.value = location.hash.slice(1);
    showStudent();
};
number.closest(".filter").hidden = false;
number.addEventListener("input", showStudent);
window.addEventListener("hashchange", takeAddress);
window.addEventListener("pageshow", takeAddress);
})();
)js";

}    // namespace

std::string_view pageStyle() { return Style; }

std::string_view pageScript() { return Script; }

std::string_view pageScriptHash() { return "sha256-/fd2WPZHCqy7IjPa2oXV2PQJmRVX8ZZpw2vgjCsBfxY="; }

}    // namespace timetabling
