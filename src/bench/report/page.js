// A run of bench: the rest is one block of details for each problem, read when it is opened.
const ROW = 32, MARGIN = 8;
const ORDER = ["robust", "relaxed", "kernelbench", "kernelbench-trials", "tritonbench"];
const protocols = Object.keys(data.summary.protocols).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
const state = {protocol: protocols[0] || "", group: "level", sort: 0, down: false, now: 0, shown: []};

const percent = value => (100 * value).toFixed(1) + " %";
const times = value => value == null ? "" : value.toFixed(2) + "×";
const interval = e => `${(100 * e.low).toFixed(1)}–${(100 * e.high).toFixed(1)}`;
const protocol = () => data.summary.protocols[state.protocol];
const rate = (metric, k) => protocol()?.rates.find(r => r.metric === metric && r.k === k);

function estimate(e) {
  return e ? make("span", {title: `${e.tasks} problems, 95 % interval`}, percent(e.value), " ", make("span", {class: "soft"}, interval(e))) : "";
}

// The overview
function overview() {
  const p = protocol(), s = data.summary, n = s.samples;
  choices($("protocols"), protocols.map(name => [name, name]), state.protocol, name => { state.protocol = name; render(); });
  $("title").textContent = s.run;
  $("subtitle").textContent = `${s.suites.join(", ")} · ${s.problems.all} problems · ${n} ${n === 1 ? "answer" : "answers"} each` +
    (p ? ` · ${state.protocol}: ${p.describe}` : "");
  const told = [];
  if (!p) told.push("This run has no verdicts yet.");
  else if (p.pending) told.push(`${p.pending} answers are not judged yet: they count as wrong here.`);
  if (s.problems.answered < s.problems.all) told.push(`${s.problems.all - s.problems.answered} problems have no answer: they count as unsolved.`);
  $("warning").hidden = !told.length;
  $("warning").textContent = told.join(" ");
  if (!p) return;
  const tile = (label, e, text) => e && make("div", {class: "tile"}, make("b", {}, text || percent(e.value)), make("span", {}, label));
  $("tiles").replaceChildren(...[["compiled", "compiled"], ["correct", "correct"], ["fast_1", "faster than eager (fast_1)"]]
    .map(([metric, label]) => tile(label, rate(metric, 1)?.all)).filter(Boolean),
    ...[n > 1 && tile(`correct in ${n} (pass@${n})`, rate("correct", n)?.all),
      p.speedups?.answers.count && tile("geomean speedup of accepted answers", p.speedups, times(p.speedups.answers.geomean)),
      tile("answers that cheat", p, String(Object.values(p.hacks).reduce((a, b) => a + b, 0)))].filter(Boolean));
  const ks = [...new Set(p.rates.map(r => r.k))];
  const metrics = [...new Set(p.rates.map(r => r.metric))];
  $("rates").replaceChildren(table(["", ...ks.map(k => `pass@${k}`), `sound, pass@${ks[0]}`],
    metrics.map(m => [m, ...ks.map(k => estimate(rate(m, k).all)), estimate(rate(m, ks[0]).sound)])));
  const most = Math.max(1, ...p.reasons.map(r => r.count));
  $("reasons").replaceChildren(...p.reasons.map(r => make("div", {class: "bar-row " + (r.reason === "accepted" ? "good" : r.hack ? "hack" : ""), title: r.hack || r.stage},
    make("span", {}, r.reason), make("i", {style: `width:${100 * r.count / most}%`}), make("span", {}, String(r.count)))));
  $("speed").hidden = !p.speedups?.answers.count;
  if (p.speedups?.answers.count) speeds(p.speedups);
  groups();
}
function speeds(s) {
  const d = s.answers, width = 560, height = 170, step = width / d.bins.length, most = Math.max(1, ...d.bins);
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Histogram of speedups");
  const add = (tag, attributes, text) => {
    const e = document.createElementNS(ns, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text != null) e.textContent = text;
    svg.append(e);
  };
  d.bins.forEach((count, i) => {
    const h = (height - 40) * count / most;
    add("rect", {x: i * step + 3, y: height - 22 - h, width: step - 6, height: h, rx: 3, class: i <= d.limits.indexOf(1) ? "slow" : ""});
    add("text", {x: (i + .5) * step, y: height - 27 - h, "text-anchor": "middle"}, count || "");
    if (i < d.limits.length) add("text", {x: (i + 1) * step, y: height - 6, "text-anchor": "middle"}, d.limits[i] + "×");
  });
  $("histogram").replaceChildren(svg);
  const line = (label, x) => [label, String(x.count), ...["geomean", "low", "quarter", "median", "three_quarters", "high"].map(k => times(x[k]))];
  $("distribution").replaceChildren(table(["", "n", "geomean", "least", "25 %", "median", "75 %", "most"],
    [line("accepted answers", s.answers), line("best of each problem", s.best)]),
    make("p", {class: "note"}, `Mean over all problems of the best, 0 where none is right: ${times(s.mean_best.value)}`));
}
function groups() {
  const all = protocol().groups, tabs = Object.keys(all).filter(name => all[name].length);
  if (!tabs.includes(state.group)) state.group = tabs[0];
  choices($("group-tabs"), tabs.map(name => [name, name]), state.group, name => { state.group = name; groups(); });
  const rows = all[state.group] || [];
  const metrics = rows.length ? Object.keys(rows[0]).filter(k => k !== "group" && k !== "tasks") : [];
  const order = ["valid", "compiled", "correct"];
  metrics.sort((a, b) => (order.indexOf(a) + 1 || 9) - (order.indexOf(b) + 1 || 9));
  $("groups").replaceChildren(table([state.group, "problems", ...metrics], rows.map(r => [r.group, String(r.tasks), ...metrics.map(m => estimate(r[m]))])));
}
function published() {
  $("published-section").hidden = !data.published.length;
  const cell = v => v == null ? "" : String(v);
  $("published").replaceChildren(table(["system", "benchmark", "attempts", "compiled", "correct", "fast_1", "fast_2", "protocol"],
    data.published.map(r => [r.system, r.benchmark, r.attempts, cell(r.compiled), cell(r.correct), cell(r.fast_1), cell(r.fast_2), r.protocol])));
}

// The problems, of which only those in sight are in the document
const columns = [["id", p => p.place], ["name", p => p.name], ["level", p => p.level], ["family", p => p.family],
  ["right", p => p.right], ["best", p => p.best ?? -1], ["most frequent reason", p => p.reason]];
function collect() {
  const outcomes = data.outcomes[state.protocol] || [];
  const problems = data.problems.map((p, place) => ({...p, place, right: 0, judged: 0, best: null, counts: new Map()}));
  for (const [at, , reason, speedup] of outcomes) {
    const p = problems[at];
    p.judged++;
    p.counts.set(reason, (p.counts.get(reason) || 0) + 1);
    if (data.reasons[reason] !== "accepted") continue;
    p.right++;
    if (speedup != null && speedup > (p.best ?? 0)) p.best = speedup;
  }
  for (const p of problems) {
    const wrong = [...p.counts].filter(([r]) => data.reasons[r] !== "accepted").sort((a, b) => b[1] - a[1]);
    p.reason = wrong.length ? data.reasons[wrong[0][0]] : p.judged ? "" : "no answer";
  }
  state.problems = problems;
}
function fill(id, label, values) {
  const select = $(id), before = select.value;
  select.replaceChildren(make("option", {value: ""}, label), ...values.map(v => make("option", {value: v}, v)));
  select.value = values.includes(before) ? before : "";
}
const text = v => String(v).toLowerCase();
function filter() {
  const words = text($("search").value).split(/\s+/).filter(Boolean);
  const level = $("f-level").value, family = $("f-family").value, result = $("f-result").value, reason = $("f-reason").value;
  const code = data.reasons.indexOf(reason);
  const results = {solved: p => p.right > 0, unsolved: p => p.right === 0, flawed: p => p.flaw, "slower than eager": p => p.best != null && p.best <= 1};
  state.shown = state.problems.filter(p => (!level || String(p.level) === level) && (!family || p.family === family) &&
    (!result || results[result](p)) && (!reason || p.counts.has(code)) &&
    words.every(w => text(`${p.id} ${p.name} ${p.family} ${p.difficulty || ""} ${p.flaw || ""}`).includes(w)));
  const key = columns[state.sort][1];
  state.shown.sort((a, b) => { const x = key(a), y = key(b); return (x < y ? -1 : x > y ? 1 : a.place - b.place) * (state.down ? -1 : 1); });
  state.now = Math.min(state.now, Math.max(0, state.shown.length - 1));
  $("count").textContent = `${state.shown.length} of ${data.problems.length}`;
  $("window").style.height = state.shown.length * ROW + "px";
  draw();
}
function draw() {
  const box = $("table"), first = Math.max(0, Math.floor(box.scrollTop / ROW) - MARGIN);
  const last = Math.min(state.shown.length, first + Math.ceil(box.clientHeight / ROW) + 2 * MARGIN);
  $("rows").replaceChildren(...state.shown.slice(first, last).map((p, i) => make("div",
    {class: "row body" + (first + i === state.now ? " now" : ""), role: "row", style: `top:${(first + i) * ROW}px`, id: "row-" + p.place,
      "aria-selected": String(first + i === state.now), onclick: () => { state.now = first + i; draw(); open(p); }},
    make("span", {role: "gridcell"}, p.id, p.flaw ? " " : "", p.flaw ? make("span", {class: "mark", title: p.flaw}, "flaw") : null),
    make("span", {role: "gridcell", title: p.name}, p.name), make("span", {role: "gridcell"}, p.level || ""), make("span", {role: "gridcell"}, p.family),
    make("span", {role: "gridcell", class: p.right ? "good-text" : ""}, `${p.right}/${p.judged}`), make("span", {role: "gridcell"}, times(p.best)),
    make("span", {role: "gridcell"}, p.reason))));
  box.setAttribute("aria-activedescendant", state.shown[state.now] ? "row-" + state.shown[state.now].place : "");
}
function heads() {
  $("table-head").replaceChildren(...columns.map(([name], i) => make("span", {role: "columnheader",
    "aria-sort": i === state.sort ? (state.down ? "descending" : "ascending") : "none"}, make("button", {type: "button", onclick: () => {
    state.down = i === state.sort ? !state.down : i === 4 || i === 5;
    state.sort = i;
    heads();
    filter();
  }}, name + (i === state.sort ? (state.down ? " ↓" : " ↑") : "")))));
}
function go(to) {
  state.now = Math.max(0, Math.min(state.shown.length - 1, to));
  const box = $("table"), top = state.now * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight;
  draw();
}

// One problem
function open(problem) {
  const block = $("details-" + problem.place);
  state.open = {problem, details: block ? JSON.parse(block.textContent) : {task: "", codes: [], samples: []}, at: 0};
  const best = state.open.details.samples.findIndex(s => s.verdicts[state.protocol]?.reason === "accepted");
  state.open.at = Math.max(0, best);
  $("d-title").textContent = `${problem.id}  ${problem.name}` + (problem.flaw ? ` (${problem.flaw})` : "");
  $("d-task").textContent = state.open.details.task || problem.no_task || "";
  if (!$("detail").open) $("detail").showModal();
  sample();
}
function sample() {
  const {details, at} = state.open;
  choices($("d-samples"), details.samples.map((s, i) => [i, String(s.sample), s.verdicts[state.protocol]?.reason === "accepted" ? "good-text" : "bad-text"]),
    at, i => { state.open.at = i; sample(); });
  const one = details.samples[at], v = one?.verdicts[state.protocol];
  const facts = v && [v.reason, v.stage && "stage " + v.stage, v.checked && v.checked !== "none" && "checked " + v.checked, times(v.speedup),
    v.ms != null && v.ms.toPrecision(4) + " ms", v.line && "line " + v.line].filter(Boolean).join(" · ");
  $("d-verdict").replaceChildren(...(!one ? ["No answer."] : !v ? ["Not judged under this protocol."] : [
    make("p", {class: v.reason === "accepted" ? "good-text" : "bad-text"}, facts), make("p", {}, v.message),
    v.feedback && v.feedback !== v.message ? make("p", {class: "soft"}, v.feedback) : null,
    v.evidence ? make("details", {}, make("summary", {}, "Evidence"), make("pre", {}, v.evidence)) : null,
    make("p", {class: "soft"}, one.origin)].filter(Boolean)));
  const code = one ? details.codes[one.code] : "";
  const lines = code.split("\n");
  $("d-code").replaceChildren(...(v?.line && v.line <= lines.length ? [lines.slice(0, v.line - 1).join("\n") + "\n",
    make("mark", {}, lines[v.line - 1] + "\n"), lines.slice(v.line).join("\n")] : [code]));
}

function render() {
  overview();
  collect();
  const values = key => [...new Set(state.problems.map(key))].filter(v => v !== "" && v != null && v !== 0).map(String)
    .sort((a, b) => a.localeCompare(b, undefined, {numeric: true}));
  fill("f-level", "all levels", values(p => p.level));
  fill("f-family", "all families", values(p => p.family));
  fill("f-result", "all results", ["solved", "unsolved", "slower than eager", "flawed"]);
  fill("f-reason", "all reasons", [...new Set(state.problems.flatMap(p => [...p.counts.keys()]))].map(r => data.reasons[r]).sort());
  heads();
  filter();
  if ($("detail").open) sample();
}

for (const id of ["search", "f-level", "f-family", "f-result", "f-reason"]) $(id).addEventListener("input", () => { $("table").scrollTop = 0; state.now = 0; filter(); });
$("table").addEventListener("scroll", () => requestAnimationFrame(draw));
$("table").addEventListener("keydown", e => {
  const page = Math.max(1, Math.floor($("table").clientHeight / ROW) - 2);
  const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
  if (e.target.tagName === "BUTTON") return;
  if (e.key in moves) { e.preventDefault(); go(state.now + moves[e.key]); }
  if (e.key === "Enter" && state.shown[state.now]) { e.preventDefault(); open(state.shown[state.now]); }
});
$("detail").addEventListener("keydown", e => {
  const step = {ArrowLeft: -1, ArrowRight: 1}[e.key];
  if (!step || e.target.tagName === "PRE") return;
  state.open.at = Math.max(0, Math.min(state.open.details.samples.length - 1, state.open.at + step));
  sample();
});
$("detail").addEventListener("close", () => $("table").focus());
$("d-close").addEventListener("click", () => $("detail").close());
document.addEventListener("keydown", e => {
  if (e.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName) && !$("detail").open) { e.preventDefault(); $("search").focus(); }
});
$("config").textContent = data.config;
published();
render();
