// The page: a table for each class, opened when somebody asks for it. All text of others goes in as text, never as HTML.

const given = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const status = document.getElementById("status");
let state = null;
let isChanged = false;
const classes = new Map();    // number -> what the server says of it
const shownTables = new Set();    // each has its class, and how to show it anew

function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else if (value === true) made.setAttribute(name, "");
        else if (value !== false && value !== null) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
}

async function ask(path, body) {
    const how = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    let reply;
    try {
        reply = await fetch(path, how);
    } catch {
        throw new Error("ferrygen pick does not answer: has it been ended?");
    }
    const answer = await reply.json();
    if (!reply.ok) throw new Error(answer.error);
    return answer;
}

async function classOf(number) {
    if (!classes.has(number)) classes.set(number, await ask(`class/${state.generation}/${number}`));
    return classes.get(number);
}

const viewsOf = (number) => state.views.filter((view) => view.class === number);

/** Lines on the bar at the bottom; with a title when there is one. */
function tell(lines, kind, title = "", ...more) {
    status.replaceChildren();
    if (title) status.append(element("strong", { class: kind }, title));
    if (lines.length === 1) status.append(element("p", { class: kind }, lines[0]));
    else if (lines.length > 1) status.append(element("ul", { class: kind }, ...lines.map((line) => element("li", {}, line))));
    status.append(...more);
}

function noteChange() {
    isChanged = true;
    tell([], "");
    document.getElementById("text").value = selectionText(state);
}

/** Shows all tables of a class anew, such as with a new part. */
function showAnew(number) {
    for (const table of [...shownTables]) {
        if (!table.place.isConnected) shownTables.delete(table);
        else if (table.number === number) table.show();
    }
}

// What is said of a field that is sent.

function wordSelect(view, key, field, options, label) {
    const select = element("select", { "aria-label": `${label} ${field.name} in ${view.name}`, onchange: () => {
        sayOf(view, key, field.name, select.value);
        noteChange();
    } });
    const chosen = saidOf(view, key, field.name, "");
    for (const [value, text] of [...options, ...(options.some(([value]) => value === chosen) ? [] : [[chosen, chosen]])])
        select.append(element("option", { value, selected: value === chosen }, text));
    return select;
}

function wordInput(view, key, field, text, parse, label, hint) {
    const input = element("input", { type: "text", value: text, placeholder: hint, "aria-label": `${label} ${field.name} in ${view.name}`,
                                     spellcheck: "false", onchange: () => {
        sayOf(view, key, field.name, parse(input.value));
        noteChange();
    } });
    return input;
}

function wordsOf(view, field) {
    const words = element("div", { class: "more" });
    const add = (text, control) => words.append(element("span", { "aria-hidden": "true" }, text), control);
    if (field.says.includes("inside")) {
        const names = [...state.views].sort((a, b) => (b.class === field.class) - (a.class === field.class)).map((each) => [each.name, each.name]);
        add("part", wordSelect(view, "inside", field, [["", "as usual"], ["whole", "whole"], ...names], "part of"));
    }
    if (field.says.includes("pointer"))
        add("pointer", wordSelect(view, "pointer", field, [["", "not said"], ["own", "own"], ["shared", "shared"], ["null", "null"]], "pointer"));
    if (field.says.includes("length")) {
        const names = (text) => text.split(",").map((name) => name.trim()).filter((name) => name);
        add("length", wordInput(view, "length", field, saidOf(view, "length", field.name, []).join(", "), names, "length of", "field"));
    }
    if (field.says.includes("memory"))
        add("memory", wordSelect(view, "memory", field, [["", "from new[]"], ["malloc", "from malloc"]], "memory of"));
    if (field.says.includes("one_of"))
        add("one of", wordInput(view, "one_of", field, textOfChoices(saidOf(view, "one_of", field.name, {})), choicesOf, "classes of", "Class = Part, ..."));
    return words;
}

function tickCell(view, field) {
    const cell = element("td", { class: "part" });
    const show = () => {
        const box = element("input", { type: "checkbox", "aria-label": `send ${field.name} in ${view.name}`, onchange: () => {
            setSent(view, field, box.checked);
            noteChange();
            showAnew(view.class);
            cell.querySelector("input").focus();
        } });
        box.checked = isSent(view, field.name);
        box.indeterminate = !isDecided(view, field.name);
        box.disabled = field.refused !== null && !box.checked && !box.indeterminate;
        cell.replaceChildren(box);
        if (box.indeterminate) cell.append(element("span", { class: "undecided" }, "undecided"));
        if (box.checked && field.says.length) cell.append(wordsOf(view, field));
    };
    show();
    return { cell, show };
}

// A class, as a table.

class ClassTable {
    constructor(place, shown) {
        this.place = place;
        this.shown = shown;
        this.number = shown.class;
        this.cells = [];
        this.opened = new Map();    // field -> row of the table inside
        shownTables.add(this);
        this.build();
    }

    /** Cells only, unless there is another part now. */
    show() {
        if (this.views.length !== viewsOf(this.number).length || this.goneNames() !== this.gone) this.build();
        else for (const each of this.cells) each.show();
    }

    /** Names in parts that are no fields of the class. */
    goneNames() {
        const known = new Set(this.shown.fields.map((field) => field.name));
        return viewsOf(this.number).map((view) => [...view.send.map((each) => each.field), ...view.skip].filter((name) => !known.has(name)).join())
            .join(";");
    }

    build() {
        this.views = viewsOf(this.number);
        this.gone = this.goneNames();
        this.cells = [];
        const title = (text) => element("th", { scope: "col" }, text);
        const parts = this.views.map((view) => element("th", { scope: "col", class: "part" }, view.name,
                                                       ...(view.default ? [element("br"), element("small", {}, "default")] : [])));
        const head = element("tr", {}, title("field"), ...parts, title("type"), title("access"), title("comment"));
        const body = element("tbody");
        for (const field of this.shown.fields) this.addRow(body, field);
        this.addGone(body);
        const table = element("table", {}, element("caption", { hidden: true }, `Fields of ${this.shown.text}`), element("thead", {}, head), body);
        this.place.replaceChildren(element("p", { class: "about" }, `${this.shown.bytes} bytes, ${this.shown.place}`));
        if (this.shown.problem) this.place.append(element("p", { class: "problems" }, this.shown.problem));
        this.place.append(element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Fields of ${this.shown.text}` }, table), this.newPart());
    }

    addRow(body, field) {
        const name = element("th", { scope: "row" });
        if (field.class !== null) name.append(this.toggle(field));
        name.append(field.name);
        const ticks = this.views.map((view) => tickCell(view, field));
        this.cells.push(...ticks);
        body.append(element("tr", {}, name, ...ticks.map((tick) => tick.cell), element("td", { class: "type" }, field.type),
                            element("td", {}, field.notes.join(", ")), element("td", { class: "comment" }, field.comment,
                            ...(field.refused ? [element("div", { class: "refused" }, field.refused)] : []))));
        if (this.opened.has(field.name)) body.append(this.widened(this.opened.get(field.name)));
    }

    widened(row) {
        row.firstChild.colSpan = 4 + this.views.length;
        return row;
    }

    toggle(field) {
        const button = element("button", { type: "button", class: "toggle", onclick: async () => {
            if (this.opened.has(field.name)) {
                this.opened.get(field.name).remove();
                this.opened.delete(field.name);
            } else {
                try {
                    const shown = await classOf(field.class);
                    if (this.opened.has(field.name)) return;
                    const place = element("div", { class: "inner" });
                    const inner = element("tr", {}, element("td", {}, place));
                    this.opened.set(field.name, inner);
                    button.closest("tr").after(this.widened(inner));
                    place.append(element("strong", {}, shown.text));
                    const rest = element("div");
                    place.append(rest);
                    new ClassTable(rest, shown);
                } catch (error) {
                    tell([error.message], "problems");
                }
            }
            label();
        } });
        const label = () => {
            const isOpen = this.opened.has(field.name);
            button.textContent = isOpen ? "\u2212" : "+";
            button.setAttribute("aria-expanded", isOpen);
            button.setAttribute("aria-label", `${isOpen ? "close" : "open"} the class of ${field.name}`);
        };
        label();
        return button;
    }

    addGone(body) {
        const known = new Set(this.shown.fields.map((field) => field.name));
        for (const view of this.views) {
            for (const name of [...view.send.map((each) => each.field), ...view.skip]) {
                if (known.has(name)) continue;
                body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", { colspan: 3 + this.views.length, class: "problems" },
                    `is no field of the class any more, and stands in ${view.name}. `,
                    element("button", { type: "button", onclick: () => {
                        forget(view, name);
                        noteChange();
                        showAnew(this.number);
                    } }, "Remove it"))));
            }
        }
    }

    newPart() {
        const input = element("input", { type: "text", "aria-label": `name of a new part of ${this.shown.text}`, placeholder: "Name", spellcheck: "false" });
        const form = element("form", { class: "newPart", onsubmit: (event) => {
            event.preventDefault();
            const name = input.value.trim();
            if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return tell(["The name of a part is one word of letters, digits and _."], "problems");
            if (name === "whole" || state.views.some((view) => view.name === name)) return tell([`There is a part ${name} already.`], "problems");
            state.views.push(newView(name, this.shown));
            noteChange();
            showAnew(this.number);
            for (const table of shownTables) table.show();
        } }, input, element("button", { type: "submit" }, `New part of ${this.shown.text}`));
        return form;
    }
}

// The whole page.

function undecided() {
    const names = [];
    for (const view of state.views) {
        for (const field of (classes.get(view.class) || { fields: [] }).fields) {
            if (!isDecided(view, field.name)) names.push(`${field.name} in ${view.name} is neither sent nor skipped: tick it, or tick and untick it.`);
        }
    }
    return names;
}

async function send(path, more = {}) {
    const open = undecided();
    if (open.length) return tell(open, "problems");
    main.setAttribute("aria-busy", "true");
    tell(["The headers are being read."], "");
    try {
        const answer = await ask(path, { generation: state.generation, views: state.views, ...more });
        if (path === "check" && !answer.problems.length) return tell(["ferrygen would generate this. It is not saved yet."], "good");
        if (path === "check") return tell(answer.problems, "problems");
        if (answer.saved) {
            isChanged = false;
            const lost = answer.lostComments.length ? [`Comments inside changed lists were lost: ${answer.lostComments.join(" ")}`] : [];
            return tell([...lost, ...answer.problems], answer.problems.length ? "problems" : "good", `Saved in ${state.path}.`);
        }
        const again = (word, text) => element("button", { type: "button", onclick: () => send("save", { ...more, [word]: true }) }, text);
        tell(answer.problems, "problems", "Not saved:", ...(answer.mayAnyway ? [again("anyway", "Save all the same")] : []),
             ...(answer.mayLoseComments ? [again("withoutComments", "Save without the comments")] : []));
    } catch (error) {
        tell([error.message], "problems");
    } finally {
        main.removeAttribute("aria-busy");
    }
}

function addButtons() {
    const buttons = document.getElementById("buttons");
    const button = (text, act, kind) => element("button", { type: "button", class: kind || null, onclick: act }, text);
    buttons.replaceChildren();
    if (given === null) {
        buttons.append(button("Save", () => send("save"), "main"), button("Check", () => send("check")), button("Read anew", () => {
            if (isChanged && !confirm("Changes that are not saved will be lost.")) return;
            isChanged = false;    // said once
            location.reload();
        }));
    } else {
        buttons.append(button("Select the text of the file", () => {
            document.getElementById("toml").open = true;
            document.getElementById("text").focus();
            document.getElementById("text").select();
            tell(undecided(), "problems");
        }, "main"));
    }
}

async function show() {
    state = given === null ? await ask("state") : given.state;
    document.getElementById("title").textContent = state.path;
    document.title = `${state.path} - ferrygen pick`;
    if (state.problems) {
        main.replaceChildren(element("h2", {}, "The selection cannot be shown"), element("ul", { class: "problems" }, ...state.problems.map((line) => element("li", {}, line))));
        document.getElementById("buttons").replaceChildren(element("button", { type: "button", onclick: () => location.reload() }, "Read anew"));
        document.getElementById("toml").hidden = true;
        return;
    }
    if (given !== null) for (const each of given.classes) classes.set(each.class, each);
    main.replaceChildren();
    for (const number of new Set(state.views.map((view) => view.class))) {
        const shown = await classOf(number);
        const place = element("div");
        main.append(element("section", {}, element("h2", {}, shown.text), place));
        new ClassTable(place, shown);
    }
    document.getElementById("text").value = selectionText(state);
    addButtons();
}

addEventListener("beforeunload", (event) => { if (isChanged && given === null) event.preventDefault(); });
show().catch((error) => main.replaceChildren(element("p", { class: "problems" }, error.message))).finally(() => main.removeAttribute("aria-busy"));
