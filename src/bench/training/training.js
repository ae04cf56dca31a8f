// A run of train, or an ablation's runs (with data.table): data.axes and data.curves have one number for each interval of steps, null where there is none.
const COLOURS = ["--accent", "--bad", "--good", "--soft", "--grey"].map(name => `var(${name})`);
const dashes = i => i < COLOURS.length ? "" : `;stroke-dasharray:${i < 2 * COLOURS.length ? "5 3" : "2 2"}`;
const WIDTH = 560, HEIGHT = 220, LEFT = 52, BOTTOM = 22, TOP = 8;
const TITLES = {loss: "loss", gradient_norm: "gradient norm", learning_rate: "learning rate", tokens_per_second: "tokens/s",
  mfu: "share of the device's peak (MFU)", tflops: "TFLOP/s", filled: "filled share of a batch", time: "seconds of a step", targets: "learned tokens of a step"};
const ORDER = Object.keys(TITLES);
const AXES = {step: "steps", tokens: "tokens", hours: "hours"};
const state = {axis: "step", log: false};

const short = v => v == null ? "" : v === 0 ? "0" : Math.abs(v) >= 1e9 ? (v / 1e9).toPrecision(3) + " G" : Math.abs(v) >= 1e6 ? (v / 1e6).toPrecision(3) + " M"
  : Math.abs(v) >= 1e4 ? (v / 1e3).toPrecision(3) + " k" : Math.abs(v) >= 1e-3 ? String(+v.toPrecision(4)) : v.toExponential(1);
const ns = "http://www.w3.org/2000/svg";
function shape(tag, attributes, text) {
  const e = document.createElementNS(ns, tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  if (text != null) e.textContent = text;
  return e;
}

// Curves of one chart: evaluations beside the loss, parts of one thing ("time/data") together.
function grouped() {
  const groups = new Map();
  for (const name of Object.keys(data.curves)) {
    const group = name.startsWith("evaluation/") ? name.slice(11) : name.split("/")[0];
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(name);
  }
  const place = name => (ORDER.indexOf(name) + 1 || ORDER.length + 1);
  return [...groups].filter(([name]) => name !== "data").sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b))
    .map(([name, curves]) => [name, curves.sort((a, b) => a.startsWith("evaluation/") - b.startsWith("evaluation/") || a.localeCompare(b))]);
}

function ticks(low, high, log) {
  if (log) {
    const out = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++)
      for (const m of high / low > 1e3 ? [1] : [1, 2, 5]) if (m * 10 ** e >= low && m * 10 ** e <= high) out.push(m * 10 ** e);
    return out;
  }
  const step = 10 ** Math.floor(Math.log10((high - low) / 4 || 1)), wide = [1, 2, 5, 10].find(m => (high - low) / (m * step) <= 5) * step;
  const out = [];
  for (let v = Math.ceil(low / wide) * wide; v <= high + wide / 1e6; v += wide) out.push(+v.toPrecision(12));
  return out;
}

function chart(name, curves) {
  const xs = data.axes[state.axis], seen = curves.flatMap(c => [...data.curves[c].low, ...data.curves[c].high]).filter(v => v != null);
  const log = state.log && seen.every(v => v > 0);
  const scale = v => log ? Math.log(v) : v;
  let low = Math.min(...seen), high = Math.max(...seen);
  if (!log && low > 0 && low < high / 3) low = 0;
  if (low === high) { low -= Math.abs(low) / 10 || 1; high += Math.abs(high) / 10 || 1; }
  const first = state.axis === "step" ? Math.min(xs[0], 1) : 0, last = xs[xs.length - 1] > first ? xs[xs.length - 1] : first + 1;
  const X = v => LEFT + (WIDTH - LEFT - 8) * (v - first) / (last - first);
  const Y = v => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (scale(v) - scale(low)) / (scale(high) - scale(low)));
  const svg = shape("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", tabindex: 0, "aria-label": TITLES[name] || name});
  for (const v of ticks(low, high, log))
    svg.append(shape("path", {class: "grid", d: `M${LEFT} ${Y(v)}H${WIDTH - 8}`}), shape("text", {x: LEFT - 5, y: Y(v) + 4, "text-anchor": "end"}, short(v)));
  for (const v of ticks(first, last, false)) svg.append(shape("text", {x: X(v), y: HEIGHT - 6, "text-anchor": "middle"}, short(v)));
  curves.forEach((one, i) => {
    const c = data.curves[one], at = xs.map((x, k) => k).filter(k => c.mean[k] != null), colour = COLOURS[i % COLOURS.length];
    const line = (ks, values) => ks.map(k => `${X(xs[k]).toFixed(1)} ${Y(values[k]).toFixed(1)}`).join("L");
    if (!at.length) return;
    if (at.some(k => c.low[k] !== c.high[k]))
      svg.append(shape("path", {class: "band", style: `fill:${colour}`, d: `M${line(at, c.high)}L${line([...at].reverse(), c.low)}Z`}));
    svg.append(shape("path", {style: `stroke:${colour}${dashes(i)}`, d: "M" + line(at, c.mean)}));
    if (at.length < 60) for (const k of at) svg.append(shape("circle", {cx: X(xs[k]), cy: Y(c.mean[k]), r: 2.2, style: `fill:${colour}`}));
  });
  const cursor = shape("path", {class: "cursor"}), told = make("output", {});
  svg.append(cursor);
  let now = xs.length - 1;
  const tell = k => {
    now = Math.max(0, Math.min(xs.length - 1, k));
    cursor.setAttribute("d", `M${X(xs[now])} ${TOP}V${HEIGHT - BOTTOM}`);
    told.textContent = `${short(xs[now])} ${AXES[state.axis]}: ` + curves.map(c => data.curves[c].mean[now]).filter(v => v != null).map(short).join(" · ");
  };
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect(), x = first + ((event.clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - 8) * (last - first);
    tell(xs.reduce((best, v, k) => Math.abs(v - x) < Math.abs(xs[best] - x) ? k : best, 0));
  });
  svg.addEventListener("keydown", event => {
    const move = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (move) { event.preventDefault(); tell(now + move); }
  });
  return make("div", {class: "chart", id: "chart-" + name}, make("h3", {}, make("span", {}, TITLES[name] || name), told), svg,
    curves.length > 1 ? make("div", {class: "legend"}, ...curves.map((c, i) => make("span", {}, make("i", {style: `--of:${COLOURS[i % COLOURS.length]}`}), c))) : null);
}

function render() {
  choices($("axis"), Object.entries(AXES).filter(([name]) => data.axes[name].some(v => v > 0)).map(([name, text]) => [name, text]), state.axis,
    name => { state.axis = name; render(); });
  $("log").setAttribute("aria-pressed", String(state.log));
  $("charts").replaceChildren(...grouped().map(([name, curves]) => chart(name, curves)));
}

$("title").textContent = data.name;
$("subtitle").textContent = data.subtitle;
$("tiles").replaceChildren(...data.tiles.map(([value, label]) => make("div", {class: "tile"}, make("b", {}, value), make("span", {}, label))));
if (data.table) {
  $("table-section").hidden = false;
  $("table").replaceChildren(table(data.table.head, data.table.rows));
}
$("sources-section").hidden = !data.sources.length;
if (data.sources.length) $("sources").replaceChildren(table(["rows", ""], data.sources.map(([name, count]) => [name, String(count)])));
$("config").textContent = data.config;
$("log").addEventListener("click", () => { state.log = !state.log; render(); });
render();
