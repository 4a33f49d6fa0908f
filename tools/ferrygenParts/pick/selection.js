"use strict";

// The selection as it is ticked: views with send, skip, and what is said of fields; and its text.

/** A part of a class of which nothing is decided. */
function newView(name, shown) {
    return { name, type: shown.text, class: shown.class, default: false, send: [], skip: shown.fields.map((field) => field.name),
             inside: {}, length: {}, one_of: {}, pointer: {}, memory: {} };
}

const isSent = (view, name) => view.send.some((each) => each.field === name);
const isSkipped = (view, name) => view.skip.includes(name);
const isDecided = (view, name) => isSent(view, name) || isSkipped(view, name);

/** Ends in send or in skip. What was said of a field goes with it. */
function setSent(view, field, sent) {
    view.skip = view.skip.filter((name) => name !== field.name);
    view.send = view.send.filter((each) => each.field !== field.name);
    if (sent) {
        const hasName = !field.type.includes("(");    // what stands for one without a name has its line in it
        view.send.push({ field: field.name, type: hasName ? field.type : null });
    } else {
        view.skip.push(field.name);
        for (const table of [view.inside, view.length, view.one_of, view.pointer, view.memory]) delete table[field.name];
    }
}

/** A name that the class does not have any more. */
function forget(view, name) {
    view.skip = view.skip.filter((each) => each !== name);
    view.send = view.send.filter((each) => each.field !== name);
    for (const table of [view.inside, view.length, view.one_of, view.pointer, view.memory]) delete table[name];
}

/** A field may be called like what every object has. */
const saidOf = (view, key, name, otherwise) => Object.hasOwn(view[key], name) ? view[key][name] : otherwise;

function sayOf(view, key, name, value) {
    const isEmpty = value === "" || (typeof value === "object" && Object.keys(value).length === 0);
    if (isEmpty) delete view[key][name];
    else view[key][name] = value;
}

/** "zoo::Circle = CircleView, zoo::Ring = RingView" */
function choicesOf(text) {
    const choices = {};
    for (const item of text.split(",")) {
        const place = item.lastIndexOf("=");
        const name = item.slice(0, Math.max(place, 0)).trim();
        if (name) choices[name] = item.slice(place + 1).trim();
    }
    return choices;
}
const textOfChoices = (choices) => Object.entries(choices).map(([name, view]) => `${name} = ${view}`).join(", ");

const tomlString = (text) => JSON.stringify(text).replace(/\u007f/g, "\\u007f");
const tomlKey = (text) => /^[A-Za-z0-9_-]+$/.test(text) ? text : tomlString(text);
function tomlList(key, texts) {
    const items = texts.map(tomlString);
    const line = `${key} = [${items.join(", ")}]`;
    return line.length <= 140 ? [line] : [`${key} = [`, ...items.map((item) => `    ${item},`), "]"];
}

function viewText(view) {
    const lines = [`[view.${view.name}]`, `type = ${tomlString(view.type)}`];
    if (view.default) lines.push("default = true");
    lines.push(...tomlList("send", view.send.map((each) => each.type === null ? each.field : `${each.field}: ${each.type}`)));
    lines.push(...tomlList("skip", view.skip));
    const say = (key, valueText) => {
        for (const [name, value] of Object.entries(view[key])) lines.push(`${key}.${tomlKey(name)} = ${valueText(value)}`);
    };
    say("inside", tomlString);
    say("length", (names) => names.length === 1 ? tomlString(names[0]) : `[${names.map(tomlString).join(", ")}]`);
    say("one_of", (choices) => `{ ${Object.entries(choices).map(([name, part]) => `${tomlKey(name)} = ${tomlString(part)}`).join(", ")} }`);
    say("pointer", tomlString);
    say("memory", tomlString);
    return lines.join("\n");
}

/** All of the file, without comments. */
function selectionText(state) {
    const lines = ["format = 1", `headers = [${state.headers.map(tomlString).join(", ")}]`];
    if (state.namespace !== "views") lines.push(`namespace = ${tomlString(state.namespace)}`);
    return lines.join("\n") + "\n" + state.views.map((view) => "\n" + viewText(view) + "\n").join("");
}
