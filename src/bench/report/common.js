"use strict";
// What the pages share. Everything comes from JSON in the page: #data is read at once. Nothing that a model wrote is
// ever parsed as HTML: text goes through textContent.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") element.className = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child != null));
  return element;
}
function table(head, rows) {
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map(h => make("th", {scope: "col"}, h)))),
    make("tbody", {}, ...rows.map(cells => make("tr", {}, ...cells.map(c => make("td", {}, c ?? ""))))));
}
function choices(box, names, chosen, pick) {
  box.replaceChildren(...names.map(([value, text, style]) => make("button",
    {type: "button", role: "radio", "aria-checked": String(value === chosen), class: style || "", onclick: () => pick(value)}, text)));
}

$("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
});
