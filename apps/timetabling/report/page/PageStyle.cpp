#include <ferry/apps/timetabling/report/page/PageStyle.hpp>

namespace timetabling {

namespace {

// Violations are marked by words and borders too, since print in black and white has no colours. On paper, the filter dims no week.
constexpr std::string_view Style = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2733; --faint: #4d5c6b; --line: #b9c4cf; --head: #eef2f6; --link: #0b4f9e; --good: #14602c; --hard: #a31515; --soft: #7a4d00; --lecture: #e9f1fa; --edge: #9db4cc; --softPaper: #fff6dc; --hardPaper: #fdeaea; --used: #5b86b5; --soften: #d9a33b; --harden: #c23b3b; --shut: #8793a0; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #12181f; --ink: #e4eaf0; --faint: #a9b6c3; --line: #45525f; --head: #1f2933; --link: #8ec1ff; --good: #86d39b; --hard: #ff9c9c; --soft: #f3c66b; --lecture: #1d2b3a; --edge: #46617d; --softPaper: #33290f; --hardPaper: #3a1a1c; --used: #4f7fb3; --soften: #b07f1c; --harden: #c04a4a; --shut: #6b7783; } }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; margin: 1.5rem auto; max-width: 90rem; padding: 0 1rem; color: var(--ink); background: var(--paper); }
h1 { margin: .2rem 0; font-size: 1.7rem; } h2 { margin: 1.8rem 0 .5rem; font-size: 1.25rem; } h3 { margin: 1.1rem 0 .3rem; font-size: 1.05rem; }
h1, h2, h3, p, li, td, th, .name, a { overflow-wrap: anywhere; unicode-bidi: isolate; }
a { color: var(--link); } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
nav { margin: .6rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; }
.note { color: var(--faint); margin: .1rem 0; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { font-weight: 600; margin: .4rem 0; } .good { color: var(--good); } .hard { color: var(--hard); } .soft { color: var(--soft); }
.filter { margin: .8rem 0; } .filter input { font: inherit; margin-left: .4rem; padding: .25rem .5rem; border: 1px solid var(--faint); border-radius: 4px; width: min(22rem, 100%); }
.filter output { margin-left: .6rem; color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
thead th, tfoot th { background: var(--head); } th { font-weight: 600; } caption { text-align: left; color: var(--faint); padding: .2rem 0; }
table.amounts th, table.amounts td { overflow-wrap: normal; } .pair table.amounts { font-size: .87em; }
table.list { width: 100%; min-width: 38rem; table-layout: fixed; } table.list th:nth-child(2) { width: 25%; } table.list th[scope=row] { font-weight: 400; } table.list .number { width: 6.2rem; }
table.courses { min-width: 50rem; } table.courses th:first-child { width: 15%; } table.courses th:nth-child(2) { width: 15%; }
td.places span { display: inline-block; margin-right: 1rem; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(15rem, 22rem); gap: 0 1.5rem; align-items: start; }
.pair.clean { grid-template-columns: minmax(0, 1fr); } .pair h2, .pair h3 { margin-top: .4rem; }
table.week { width: 100%; min-width: 36rem; table-layout: fixed; margin-bottom: 1rem; } table.week td { height: 2.4rem; padding: .2rem; }
table.week th:first-child { width: 4.6rem; }
.lecture { border: 1px solid var(--edge); border-radius: 4px; background: var(--lecture); color: var(--ink); padding: .15rem .35rem; margin-bottom: .2rem; overflow-wrap: anywhere; }
.lecture .name { font-weight: 600; } .lecture .detail { color: var(--faint); font-size: .87em; display: block; } .lecture .mark { font-size: .82em; font-weight: 600; display: block; }
.lecture .kept { font-size: .82em; font-style: italic; display: block; }
.lecture.soft { background: var(--softPaper); border: 2px dashed var(--soft); } .lecture.soft .mark { color: var(--soft); }
.lecture.hard { background: var(--hardPaper); border: 3px double var(--hard); border-left-width: 8px; border-left-style: solid; } .lecture.hard .mark { color: var(--hard); }
.detail a, .mark a, .name a { color: inherit; }
ol.remarks, ul.remarks { padding-left: 1.6rem; margin: .3rem 0; } .remarks li { margin-bottom: .25rem; } .remarks b { margin-right: .35rem; }
.remarks li:target { outline: 3px solid var(--link); outline-offset: 2px; }
#matches { margin: .4rem 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .3rem .8rem; } #matches a { display: inline-block; padding: .2rem .5rem; border: 1px solid var(--line); border-radius: 4px; }
.glance { display: grid; grid-template-columns: minmax(0, 1fr) minmax(15rem, 20rem); gap: 0 2rem; align-items: start; } .glance h2 { margin-top: .6rem; }
.map { max-height: 75vh; overflow: auto; } code { overflow-wrap: anywhere; } #map { border-collapse: separate; border-spacing: 0; font-size: .87em; } #map caption { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
#map th, #map td { border-width: 0 1px 1px 0; padding: 0 .3rem; text-align: center; white-space: nowrap; } #map td { min-width: 1.9rem; height: 1.65rem; padding: 1px; }
#map .first { border-left: 2px solid var(--faint); } #map tbody th { position: sticky; left: 0; z-index: 1; background: var(--paper); text-align: left; font-weight: 400; max-width: 11rem; overflow: hidden; text-overflow: ellipsis; }
#map th a { display: inline-block; min-height: 1.5rem; line-height: 1.5rem; } #map thead { position: sticky; top: 0; z-index: 2; } #map thead td, #map thead th { background: var(--head); }
#map td > a { display: block; height: 100%; min-height: 1.5rem; border-radius: 3px; background: var(--used); } #map td > a > span { display: block; width: 1.5rem; height: 1px; overflow: hidden; color: transparent; }
#map td.soft > a { background: var(--soften); } #map td.hard > a { background: var(--harden); border: 3px double var(--paper); } .shut { background: repeating-linear-gradient(45deg, transparent 0 4px, var(--shut) 4px 6px); }
.key { display: inline-block; margin-left: .7rem; color: var(--ink); } .key::before { content: ""; display: inline-block; width: .9em; height: .9em; margin-right: .3em; border-radius: 2px; background: var(--used); vertical-align: -.1em; } .key.soft::before { background: var(--soften); } .key.hard::before { background: var(--harden); } .key.shut { background: none; } .key.shut::before { background: repeating-linear-gradient(45deg, transparent 0 4px, var(--shut) 4px 6px); }
.bars { list-style: none; margin: .3rem 0; padding: 0; } .bars li { margin-bottom: .45rem; display: grid; grid-template-columns: 1fr auto; color: inherit; } .bars li a { min-height: 1.5rem; } .bar { grid-column: 1 / 3; display: block; height: .7rem; background: var(--head); border-radius: 3px; } .bar span { display: block; height: 100%; border-radius: 3px; background: var(--soften); } .bars .hard .bar span { background: var(--harden); }
.weekdays { list-style: none; margin: .4rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem; } .weekdays li { flex: 1 1 7rem; max-width: 14rem; border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem; } .weekdays a { display: inline-block; min-height: 1.5rem; font-weight: 600; } .weekdays .note { display: block; } .weekdays .date { white-space: nowrap; } .weekdays .off .note { font-style: italic; } .weekdays [aria-current] { border: 2px solid var(--link); background: var(--lecture); } #map thead [aria-current] { border-bottom: 3px solid var(--link); } #todayList dd { margin: 0 0 .4rem; } #todayList dd span { display: inline-block; margin-right: 1rem; } #todayList dt { font-weight: 600; } #todayList a, #todayList summary { min-height: 1.5rem; } #todayList a { display: inline-block; }
table.free { min-width: 0; table-layout: auto; } table.free th { white-space: nowrap; } .days { display: none; } .days ul { margin: .2rem 0; padding-left: 1.1rem; } .days li { padding: .2rem 0; } .days li.hard::marker { content: "! "; } .days a { display: inline-block; min-height: 1.5rem; }
#desk { border: 1px solid var(--line); border-radius: 6px; padding: .2rem 1rem .7rem; margin: 1rem 0; } #desk h2 { margin-top: .6rem; } #desk button, #desk input, #desk select { font: inherit; min-height: 1.75rem; margin: .15rem .3rem .15rem 0; max-width: 100%; } #desk input[type=number] { width: 5rem; } #desk .line { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: center; margin: .4rem 0; } #desk li { margin-bottom: .2rem; } #desk summary { min-height: 1.75rem; } #deskTold { font-weight: 600; overflow-wrap: anywhere; }
#map td > button { display: block; width: 100%; min-height: 1.5rem; padding: 0; border: 1px solid var(--edge); border-radius: 3px; font: inherit; font-size: .8rem; letter-spacing: -.04em; color: var(--ink); background: var(--lecture); cursor: pointer; } #map td > button.swaps { border-style: dashed; border-color: var(--faint); } #map td > button.better { border: 2px solid var(--good); font-weight: 700; } #map td > button.worse { background: var(--softPaper); } #map td > button.broken { background: var(--hardPaper); } #map td > button ~ a { display: none; } #map td.chosen { outline: 3px solid var(--link); outline-offset: -2px; }
.dim { opacity: .25; } [hidden] { display: none !important; }
@media (max-width: 62rem) { .pair { grid-template-columns: minmax(0, 1fr); } table.amounts { font-size: .87em; } .filter input { margin-left: 0; } .glance { grid-template-columns: minmax(0, 1fr); } }
@media screen and (max-width: 40rem) { .grids { display: none; } .days { display: block; } }
@page { size: A4; margin: 12mm; } @page week { size: A4 landscape; margin: 10mm; }
@media print {
body { margin: 0; max-width: none; padding: 0; font-size: 9.5pt; color: #000; --faint: #333; print-color-adjust: exact; }
nav, .filter, .screen, #desk, #todayList { display: none !important; } a { color: inherit; text-decoration: none; } .dim { opacity: 1; }
.wide { overflow: visible; } .map { max-height: none; } .glance { grid-template-columns: minmax(0, 1fr); break-after: page; } table.list { min-width: 0; } .weekPage, .weekSection { page: week; } section.weekSection, table.amounts { break-inside: avoid; }
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
    const list = document.getElementById("matches");
    list.textContent = "";
    const links = [...document.querySelectorAll("tr[data-filter]:not([hidden]) > th a")].filter(link => words.every(word => link.textContent.toLowerCase().includes(word)));
    list.hidden = words.length === 0 || links.length === 0;
    if (!list.hidden) for (const link of links.slice(0, 8)) made("a", made("li", list), link.textContent).href = link.href;
};
if (field) {
    field.closest(".filter").hidden = false;
    field.addEventListener("input", applyFilter);
    field.addEventListener("keydown", event => {
        const first = document.querySelector("#matches a");
        if (event.key === "Enter" && first) location.href = first.href;
    });
    window.addEventListener("pageshow", applyFilter);
}

const thisWeek = document.getElementById("thisWeek");
if (thisWeek) {
    const dayMs = 86400000;
    const now = new Date();
    const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
    const dated = (time, parts) => new Date(time).toLocaleDateString("en-GB", {...parts, timeZone: "UTC"});
    const longDate = time => dated(time, {weekday: "long", day: "numeric", month: "long", year: "numeric"});
    const days = [...thisWeek.querySelectorAll("li")];
    const told = document.getElementById("today");
    const titleOf = item => item.querySelector("a").textContent;
    const list = item => {
        const details = made("details", document.getElementById("todayList"));
        made("summary", details, "What takes place today: " + item.lastElementChild.textContent);
        const rows = [...document.getElementById("map").tBodies[0].rows];
        const heads = [...document.getElementById("map").tHead.rows[1].cells].slice(1);
        const perDay = heads.length / days.length;
        const all = made("dl", details);
        for (let period = 0; period < perDay; ++period) {
            const column = 1 + days.indexOf(item) * perDay + period;
            const links = rows.flatMap(row => [...row.cells[column].querySelectorAll("a")].map(link => [link, row.cells[0].textContent]));
            if (links.length === 0) continue;
            made("dt", all, heads[column - 1].title);
            const places = made("dd", all);
            for (const [link, room] of links) {
                const place = made("span", places);
                made("a", place, link.firstElementChild.textContent).href = link.getAttribute("href");
                place.append(" in " + room + " ");
            }
        }
    };
    const mark = item => {
        item.setAttribute("aria-current", "date");
        document.getElementById("map").tHead.rows[0].cells[1 + days.indexOf(item)].setAttribute("aria-current", "date");
        list(item);
    };
    const sentence = [];
    if (thisWeek.dataset.first) {
        const first = Date.parse(thisWeek.dataset.first), weeks = Number(thisWeek.dataset.weeks), span = Number(thisWeek.dataset.span);
        const ranges = thisWeek.dataset.off.split(",").filter(range => range).map(range => range.split("..").map(Date.parse));
        const isOff = time => ranges.some(([begin, end]) => begin <= time && time <= end);
        const last = first + ((weeks - 1) * 7 * span + Math.max(...days.map(item => Number(item.dataset.offset)))) * dayMs;
        const count = Math.floor((last - first) / dayMs / 7) + 1;
        const week = Math.min(Math.max(Math.floor((today - first) / dayMs / 7), 0), count - 1);
        const is = today < first ? "The term begins on " + longDate(first) : today > last ? "The term ended on " + longDate(last) : "";
        if (!is) sentence.push("week " + (week + 1) + " of " + count);
        for (const item of days) {
            const offset = Number(item.dataset.offset);
            item.hidden = Math.floor(offset / 7) !== week % span;
            const time = first + (Math.floor(week / span) * 7 * span + offset) * dayMs;
            item.querySelector(".date").textContent = dated(time, {day: "numeric", month: "short"});
            item.classList.toggle("off", isOff(time));
            if (isOff(time)) item.lastElementChild.textContent = "day off";
            if (time !== today) continue;
            if (isOff(time)) sentence.push("a day off");
            else mark(item);
        }
        if (!is && sentence.length === 1 && !thisWeek.querySelector("[aria-current]")) sentence.push("no day of the timetable");
        told.textContent = (is ? is + ". " : "") + "Today is " + [longDate(today), ...sentence].join(", ") + (is ? ". The days below are those of the " + (today < first ? "first" : "last") + " week." : ".");
    } else if (!told.querySelector("code")) {
        const folded = text => text.normalize("NFD").replace(/[^\p{L}]/gu, "").toLowerCase();
        const languages = ["en", "de", "fr", "it", "es", "pt", "nl", "pl", "cs", "sv", "da", "nb", "fi", "hu", "tr", "el", "ru", ...navigator.languages];
        const namesOf = time => new Set(languages.flatMap(language => ["long", "short"].map(form => folded(new Date(time).toLocaleDateString(language, {weekday: form, timeZone: "UTC"})))));
        const week = [0, 1, 2, 3, 4, 5, 6].map(day => namesOf(today + day * dayMs));
        const weekdayOf = item => week.findIndex(names => names.has(folded(titleOf(item).trim().split(/[\s,(]/)[0])));
        const weekdays = days.map(weekdayOf);
        const on = days.filter((item, day) => weekdays[day] === 0);
        const dates = "The dates of the term are not known: --first-day tells them.";
        if (weekdays.includes(-1)) told.textContent = "What is on today cannot be said: not all names of the days are days of the week. " + dates;
        else if (on.length > 1) told.textContent = "Today is " + longDate(today) + ": " + on.map(titleOf).join(" or ") + ". " + dates;
        else told.textContent = "Today is " + longDate(today) + (on.length === 0 ? ", no day of the timetable. " : ". ") + dates;
        if (!weekdays.includes(-1) && on.length === 1) mark(on[0]);
    }
}

const desk = document.getElementById("desk");
if (desk) {
    const part = id => document.getElementById(id);
    const cells = [...part("map").tBodies[0].rows].map(row => [...row.cells].slice(1));
    const times = [...part("closePeriod").options].slice(1).map(option => option.text);
    const rooms = [...part("closeRoom").options].slice(1).map(option => option.text);
    const where = (period, room) => times[period] + (room < 0 ? "" : " in " + rooms[room]);
    const version = Number(desk.dataset.version);
    const tell = text => { part("deskTold").textContent = text; };
    const ask = async (path, body) => {
        const post = {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({version, ...body})};
        const reply = await fetch(path, body ? post : {});
        const answer = await reply.json();
        if (!reply.ok) throw new Error(answer.error);
        return answer;
    };
    const begin = () => {
        history.replaceState(null, "", location.pathname);
        location.reload();
    };
    const act = async (path, body) => {
        try {
            const answer = await ask(path, body);
            if (answer.version !== version) begin();
            else show(answer);
        } catch (error) {
            tell(error.message);
        }
    };
    const button = (parent, text, path, body) => made("button", parent, text).addEventListener("click", () => act(path, body));
    const change = place => (place.violations ? place.violations + " violations, " : "") + "cost " + (place.cost > 0 ? "+" : "") + place.cost;
    const clear = () => {
        part("choice").textContent = "";
        for (const made of part("map").querySelectorAll("td > button")) made.remove();
        for (const cell of part("map").querySelectorAll(".chosen")) cell.classList.remove("chosen");
    };
    const offer = (parent, of, place) => {
        const item = made("li", parent, where(place.period, place.room) + ": " + change(place) + " ");
        const body = {course: of.number, period: of.period, toPeriod: place.period, toRoom: place.room};
        if (of.room === undefined) return button(item, "Put there", "place", body);
        button(item, place.with ? "Exchange with " + place.with : "Move", "move", body);
        button(item, "Pin there", "pin", body);
    };
    const choose = async (number, period) => {
        clear();
        let of;
        try {
            of = await ask("places/" + number + "/" + (period < 0 ? "left-out" : period) + ".json");
        } catch (error) {
            tell(error.message);
            return;
        }
        of.number = number;
        if (period >= 0) cells[of.room][period].classList.add("chosen");
        const choice = part("choice");
        made("h3", choice, of.course + ", " + of.at).tabIndex = -1;
        const line = made("p", choice);
        line.className = "line";
        if (of.isPinned) button(line, "Take the pin away", "unpin", {course: number, period});
        else if (period >= 0) {
            button(line, "Pin here", "pin", {course: number, period, toRoom: of.room});
            button(line, "Pin in time", "pin", {course: number, period, toRoom: -1});
            button(line, "Leave out", "leave-out", {course: number, period});
        }
        made("button", line, "Leave").addEventListener("click", clear);
        const open = of.places.filter(place => place.cost !== undefined);
        open.sort((a, b) => a.violations - b.violations || a.cost - b.cost);
        made("p", choice, open.length + " places are possible. The map shows what each costs: ! is a violation, a dashed border an exchange. The cheapest:");
        const list = made("ul", choice), picked = made("ul", choice);
        for (const place of open.slice(0, 5)) offer(list, of, place);
        for (const place of open) {
            const cell = cells[place.room][place.period];
            const mark = document.createElement("button");
            mark.textContent = place.violations > 0 ? "!" : (place.cost > 0 ? "+" : "") + place.cost;
            mark.className = place.violations > 0 ? "broken" : place.violations < 0 || place.cost < 0 ? "better" : place.cost > 0 ? "worse" : "";
            if (place.with) mark.classList.add("swaps");
            mark.title = where(place.period, place.room) + (place.with ? ", exchange with " + place.with : "") + ": " + change(place);
            mark.setAttribute("aria-label", mark.title);
            mark.addEventListener("click", () => {
                picked.textContent = "";
                offer(picked, of, place);
                picked.querySelector("button").focus();
            });
            cell.prepend(mark);
        }
        choice.firstChild.focus({preventScroll: matchMedia("(min-width: 62rem)").matches});
        tell("");
    };
    const show = state => {
        desk.classList.toggle("searching", state.isSearching);
        if (state.told) tell(state.told);
        for (const id of ["solve", "close", "open", "undo"]) part(id).disabled = state.isSearching || (id === "undo" && !state.undoable);
        part("stop").hidden = !state.isSearching;
        const list = part("changes");
        list.textContent = "";
        for (const one of state.leftOut || []) made("button", made("li", list, "left out: " + one.text + " "), "Show places").addEventListener("click", () => choose(one.course, -1));
        for (const pin of state.pins || []) {
            const item = made("li", list, "pinned: " + pin.text + (pin.isMet ? " " : " (not there yet: solve again) "));
            button(item, "Take away", "unpin", {course: pin.course, period: pin.period});
        }
        for (const closing of state.closings || []) button(made("li", list, "closed: " + closing.text + " "), "Open", "open", {room: closing.room, period: closing.period});
        const result = part("proposal");
        result.textContent = "";
        if (!state.proposal) return;
        made("h3", result, "Result: " + state.proposal.summary + ", " + state.proposal.movedCount + " " + state.noun + "s moved");
        made("p", result, state.proposal.sentence);
        const line = made("p", result);
        line.className = "line";
        button(line, "Take over", "take", {});
        button(line, "Discard", "discard", {});
        const details = made("details", result);
        made("summary", details, "What moves");
        const moves = made("ul", details);
        for (const text of state.proposal.moved) made("li", moves, text);
    };
    const watch = async () => {
        try {
            const state = await ask("desk.json");
            if (state.version !== version && !state.isSearching) return begin();
            if (state.isSearching || state.version !== version) show(state);
            part("newer").hidden = state.version === version || !state.isSearching;
        } catch {
            tell("the program has ended, or does not answer");
        }
        setTimeout(watch, 1000);
    };
    part("map").addEventListener("click", event => {
        const link = event.target.closest("a[data-course]");
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        choose(Number(link.dataset.course), link.closest("td").cellIndex - 1);
    });
    const closing = () => ({room: Number(part("closeRoom").value), period: Number(part("closePeriod").value)});
    part("close").addEventListener("click", () => act("close", closing()));
    part("open").addEventListener("click", () => act("open", closing()));
    part("solve").addEventListener("click", () => act("solve", {seconds: Number(part("seconds").value), keep: part("keep").value}));
    part("stop").addEventListener("click", () => act("stop", {}));
    part("undo").addEventListener("click", () => act("undo", {}));
    part("end").addEventListener("click", () => act("end", {}));
    part("newer").addEventListener("click", begin);
    desk.hidden = false;
    ask("desk.json").then(show, error => tell(error.message)).then(() => {
        const asked = /^#at-(\d+)-(\d+)$/.exec(location.hash);
        if (asked) choose(Number(asked[1]), Number(asked[2]));
        setTimeout(watch, 1000);
    });
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

std::string_view pageScriptHash() { return "sha256-GtELeTV1/51gt8/zFS71EJ6j5hQfZwpnk6LVOrt4IP0="; }

}    // namespace timetabling
