// The page of a sweep: everything is drawn from the data above, in the language that is chosen. Plots are uPlot's, tables and
// heat maps are plain tables, so that a page without the library lacks the plots alone.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const rows = data.rows.map((row) => Object.fromEntries(data.columns.map((name, k) => [name, row[k]])));
rows.forEach((row) => { row.roles = new Set(row.role.split("+")); });

const words = {
    en: {
        title: "Every candidate against the plan", device: "Device", command: "Command", facts: "Facts of the plan", other: "español",
        summary: "What it comes to", kernel: "kernel", plan: "plan", best: "best", lesson: "lesson's rule", copy: "copy limit", noise: "noise",
        planBest: "plan / best", lessonBest: "lesson / best", untunedBest: "untuned plan / best", predictedOff: "predicted, off by",
        median: "median", worst: "worst", time: "Time by number of elements", elements: "elements", us: "microseconds", tie: "tie",
        heat: "Time of size and items, as multiples of the best", plain: "elements one by one", vector: "by vec4", items: "items",
        marks: "Least over the shapes. B: the best, P: the plan, L: the lesson's rule.",
        roof: "Roofline", intensity: "operations a byte", rate: "10⁹ operations a second",
        roofNote: "At the most elements of each kernel; the roofs are the measured bandwidth and arithmetic rate. Points at one place are moved apart by a hair.",
        predicted: "Predicted beside measured", measuredUs: "measured, microseconds", predictedUs: "predicted, microseconds", exact: "as predicted",
        predictedMeasured: "predicted / measured", all: "All results", wrong: "wrong outputs",
        missing: "This page was made without the plotting library (uPlot): tables and heat maps are complete, the plots are missing. sh tools/setup.sh test fetches it; then telar sweep --from FILE.csv --html FILE makes the page anew.",
        noiseNote: "Noise is what the plan's kernel differs by from itself, measured twice in the same rounds. Differences below it are ties.",
    },
    es: {
        title: "Todos los candidatos frente al plan", device: "Dispositivo", command: "Orden", facts: "Datos del plan", other: "English",
        summary: "En qué queda", kernel: "kernel", plan: "plan", best: "mejor", lesson: "regla de la lección", copy: "límite de copia", noise: "ruido",
        planBest: "plan / mejor", lessonBest: "lección / mejor", untunedBest: "plan sin medir / mejor", predictedOff: "predicho, desviado en",
        median: "mediana", worst: "peor", time: "Tiempo según el número de elementos", elements: "elementos", us: "microsegundos", tie: "empate",
        heat: "Tiempo por tamaño y elementos por invocación, en múltiplos del mejor", plain: "elemento a elemento", vector: "por vec4", items: "elementos",
        marks: "El menor de las formas. B: el mejor, P: el plan, L: la regla de la lección.",
        roof: "Roofline", intensity: "operaciones por byte", rate: "10⁹ operaciones por segundo",
        roofNote: "Con el mayor número de elementos de cada kernel; los techos son el ancho de banda y la tasa aritmética medidos. Los puntos que coinciden se separan un pelo.",
        predicted: "Lo predicho junto a lo medido", measuredUs: "medido, microsegundos", predictedUs: "predicho, microsegundos", exact: "como se predijo",
        predictedMeasured: "predicho / medido", all: "Todos los resultados", wrong: "salidas erróneas",
        missing: "Esta página se hizo sin la biblioteca de gráficos (uPlot): las tablas y los mapas de calor están completos, faltan los gráficos. sh tools/setup.sh test la obtiene; después, telar sweep --from ARCHIVO.csv --html ARCHIVO rehace la página.",
        noiseNote: "El ruido es lo que el kernel del plan difiere de sí mismo, medido dos veces en las mismas rondas. Las diferencias menores son empates.",
    },
};
let language = data.language;
let say = words[language];

// ---- What rows say ---------------------------------------------------------------------------------------------------

const unique = (list) => [...new Set(list)];
const quotient = (above, below) => (above && below ? above.us / below.us : null);
const timed = (row) => row.verified === "yes" && row.us > 0;

function result(run, kernel, n) {
    const own = rows.filter((row) => row.run === run && row.kernel === kernel && row.n === n);
    const role = (name) => own.filter((row) => row.roles.has(name) && timed(row)).sort((a, b) => a.us - b.us)[0] || null;
    return {
        run, kernel, n, own, plan: role("plan"), lesson: role("lesson"), untuned: role("default"), best: role("best"), copy: role("copy"),
        noise: own.length ? own[0].noise : 0, wrong: own.filter((row) => row.verified === "no").length,
    };
}

const runs = data.runs.map((run, at) => ({ ...run, at }));
const kernels = unique(rows.map((row) => row.kernel));
const results = [];
for (const run of runs) {
    for (const kernel of kernels) {
        const counts = unique(rows.filter((row) => row.run === run.at && row.kernel === kernel).map((row) => row.n));
        for (const n of counts.sort((a, b) => a - b)) results.push(result(run.at, kernel, n));
    }
}
const resultsOf = (run, kernel) => results.filter((at) => at.run === run && at.kernel === kernel);

function median(values) {
    const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    if (sorted.length === 0) return null;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
const worst = (values) => values.reduce((most, value) => (value !== null && (most === null || value > most) ? value : most), null);

// ---- Drawing ---------------------------------------------------------------------------------------------------------

function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
}
const fixed = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));
const percent = (value) => (value === null ? "–" : `${(100 * value).toFixed(1)} %`);
const launch = (row) => (row ? `${row.size} x ${row.items} ${row.shape}${row.vector === "yes" ? " vec4" : ""}` : "–");

function table(heads, lines) {
    const cell = (name, value, k) => element(name, k === 0 ? { class: "text" } : {}, value instanceof Node ? value : String(value));
    return element("div", { class: "wide" }, element("table", {},
        element("thead", {}, element("tr", {}, ...heads.map((head, k) => cell("th", head, k)))),
        element("tbody", {}, ...lines.map((line) => element("tr", {}, ...line.map((value, k) => cell("td", value, k)))))));
}

const colours = ["#0b5fa5", "#c2410c", "#15803d", "#7c3aed", "#b45309", "#0e7490", "#be185d", "#4d7c0f"];
const canPlot = typeof uPlot === "function";

// series: [{label, points: [[x, y], ...], line}], both axes logarithmic.
function plot(into, title, xLabel, yLabel, series) {
    series = series.filter((one) => one.points.length > 0);
    if (!canPlot || series.length === 0) return;
    const xs = unique(series.flatMap((one) => one.points.map((point) => point[0]))).sort((a, b) => a - b);
    const columns = series.map((one) => {
        const values = new Map(one.points);
        return xs.map((x) => (values.has(x) ? values.get(x) : null));
    });
    const axis = (label) => ({ label, values: (_, splits) => splits.map((value) => (value === null ? "" : short(value))) });
    const drawn = series.map((one, k) => ({
        label: one.label, stroke: one.colour || colours[k % colours.length], width: 2, spanGaps: true, dash: one.dash,
        paths: one.line ? undefined : () => null, points: { show: !one.bare, size: 7, fill: one.line ? undefined : one.colour || colours[k % colours.length] },
        value: (_, value) => (value === null ? "–" : short(value)),
    }));
    const holder = element("figure", { role: "img", "aria-label": title });
    into.append(holder);
    new uPlot({
        title, width: 540, height: 340, scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
        axes: [axis(xLabel), { ...axis(yLabel), size: 70 }], series: [{ label: xLabel, value: (_, value) => (value === null ? "–" : short(value)) }, ...drawn],
    }, [xs, ...columns], holder);
}
const short = (value) => (value >= 1e6 || value < 1e-2 ? value.toExponential(1).replace(".0e", "e").replace("e+", "e") : String(+value.toPrecision(4)));

// ---- Sections --------------------------------------------------------------------------------------------------------

function head() {
    const other = language === "en" ? "es" : "en";
    const change = element("button", { lang: other, onclick: () => draw(other) }, say.other);
    const lines = runs.map((run) => element("p", {}, element("b", {}, run.device), element("br"),
        `${say.command}: `, element("code", {}, run.command), ` · ${say.facts}: ${run.facts}`));
    return [element("header", {}, element("h1", {}, `telar sweep: ${say.title}`), change), ...lines,
        canPlot ? null : element("p", { class: "missing" }, say.missing)];
}

function summary() {
    const line = (run) => {
        const own = results.filter((at) => at.run === run.at);
        const pair = (values) => [fixed(median(values), 3), fixed(worst(values), 3)];
        const off = own.map((at) => (at.plan && at.plan.predicted !== null ? Math.abs(at.plan.predicted / at.plan.us - 1) : null));
        return [run.device, ...pair(own.map((at) => quotient(at.plan, at.best))), ...pair(own.map((at) => quotient(at.lesson, at.best))),
            ...pair(own.map((at) => quotient(at.untuned, at.best))), percent(median(off)), percent(median(own.map((at) => at.noise))),
            own.reduce((sum, at) => sum + at.wrong, 0)];
    };
    const two = (name) => [`${name}, ${say.median}`, say.worst];
    return [element("h2", {}, say.summary),
        table([say.device, ...two(say.planBest), ...two(say.lessonBest), ...two(say.untunedBest), `${say.predictedOff}, ${say.median}`,
            `${say.noise}, ${say.median}`, say.wrong], runs.map(line)),
        element("p", { class: "note" }, say.noiseNote)];
}

function resultLine(at) {
    const ratio = quotient(at.plan, at.best);
    const tie = at.plan && at.plan !== at.best && at.plan.roles.has("tie") ? ` (${say.tie})` : "";
    const mark = at.wrong ? element("span", { class: "wrong" }, `${at.wrong} ${say.wrong}`) : fixed(ratio, 3) + tie;
    return [at.n, launch(at.plan), fixed(at.plan && at.plan.us, 2), launch(at.best), fixed(at.best && at.best.us, 2), mark, launch(at.lesson),
        fixed(quotient(at.lesson, at.best), 3), fixed(at.plan && at.plan.predicted !== null ? at.plan.predicted / at.plan.us : null, 3),
        fixed(quotient(at.copy, at.plan), 3), percent(at.noise)];
}
const resultHeads = () => ["n", say.plan, "µs", say.best, "µs", say.planBest, say.lesson, say.lessonBest, say.predictedMeasured,
    `${say.copy} / ${say.plan}`, say.noise];

function heat(at, vector) {
    const own = at.own.filter((row) => (row.vector === "yes") === vector && timed(row) && !row.roles.has("copy") && !row.roles.has("again"));
    if (own.length === 0) return null;
    const area = (size) => size.split("x").reduce((product, axis) => product * axis, 1);
    const sizes = unique(own.map((row) => row.size)).sort((a, b) => area(a) - area(b) || parseInt(a, 10) - parseInt(b, 10));
    const items = unique(own.map((row) => row.items)).sort((a, b) => a - b);
    const cell = (size, count) => {
        const cells = own.filter((row) => row.size === size && row.items === count).sort((a, b) => a.us - b.us);
        if (cells.length === 0) return element("td", {});
        const ratio = at.best ? cells[0].us / at.best.us : 1;
        const marks = [["best", "B"], ["plan", "P"], ["lesson", "L"]].filter(([role]) => cells.some((row) => row.roles.has(role))).map(([, mark]) => mark);
        const light = Math.min(95, 40 + 35 * Math.log2(Math.max(1, ratio)));
        const style = `background: hsl(205 60% ${light}%); color: ${light < 62 ? "#fff" : "#000"}`;
        return element("td", { style, title: `${launch(cells[0])}: ${cells[0].us} µs` }, ratio.toFixed(2), element("b", {}, marks.join(" ") || "\u00a0"));
    };
    return element("div", {}, element("h3", {}, vector ? say.vector : say.plain), element("table", { class: "heat" },
        element("thead", {}, element("tr", {}, element("th", {}, say.items), ...items.map((count) => element("th", {}, String(count))))),
        element("tbody", {}, ...sizes.map((size) => element("tr", {}, element("th", {}, size), ...items.map((count) => cell(size, count)))))));
}

function heats(kernel) {
    const counts = unique(results.filter((at) => at.kernel === kernel).map((at) => at.n)).sort((a, b) => a - b);
    const holder = element("div", {});
    const show = (n) => {
        holder.replaceChildren(...runs.map((run) => {
            const at = results.find((one) => one.run === run.at && one.kernel === kernel && one.n === n);
            return at ? element("div", {}, runs.length > 1 ? element("p", {}, element("b", {}, run.device)) : "",
                element("div", { class: "side" }, heat(at, false), heat(at, true))) : "";
        }));
    };
    const choice = element("select", { "aria-label": "n", onchange: (event) => show(Number(event.target.value)) },
        ...counts.map((n) => element("option", { value: n }, `n = ${n}`)));
    choice.value = counts[counts.length - 1];
    show(counts[counts.length - 1]);
    return [element("h3", {}, say.heat, " ", choice), element("p", { class: "note" }, say.marks), holder];
}

function kernelSection(kernel) {
    const plots = element("div", { class: "side" });
    const parts = [element("h2", {}, kernel), plots];
    for (const run of runs) {
        const own = resultsOf(run.at, kernel);
        if (own.length === 0) continue;
        const line = (role, label, dash) => ({ label, line: true, dash, points: own.filter((at) => at[role]).map((at) => [at.n, at[role].us]) });
        plot(plots, runs.length > 1 ? run.device : say.time, say.elements, say.us,
            [line("plan", say.plan), line("lesson", say.lesson), line("best", say.best, [4, 4]), line("copy", say.copy, [2, 6])]);
        parts.push(runs.length > 1 ? element("h3", {}, run.device) : null, table(resultHeads(), own.map(resultLine)));
    }
    return [...parts, ...heats(kernel)];
}

function roofline() {
    const plots = element("div", { class: "side" });
    for (const run of runs) {
        if (!(run.bandwidth > 0 && run.arithmetic_rate > 0)) continue;
        const last = kernels.map((kernel) => resultsOf(run.at, kernel).pop()).filter((at) => at && at.plan && at.plan.flops > 0 && at.plan.bytes > 0);
        const hair = (k) => 1 + 0.004 * k;
        const rate = (at, row) => (row.flops * at.n) / row.us / 1000;
        const point = (at, row, k) => [(row.flops / row.bytes) * hair(k), rate(at, row)];
        const xs = [0.05, 0.1, run.arithmetic_rate / run.bandwidth, 100];
        const roof = { label: say.roof, line: true, bare: true, colour: "#666", points: xs.map((x) => [x, Math.min(x * run.bandwidth, run.arithmetic_rate) / 1000]) };
        plot(plots, run.device, say.intensity, say.rate, [roof, ...last.map((at, k) => ({ label: at.kernel, points: [point(at, at.plan, k)] })),
            { label: say.lesson, colour: "#999", points: last.filter((at) => at.lesson).map((at, k) => point(at, at.lesson, k + 0.5)) }]);
    }
    return plots.childElementCount ? [element("h2", {}, say.roof), plots, element("p", { class: "note" }, say.roofNote)] : [];
}

function predictions() {
    const plots = element("div", { class: "side" });
    for (const run of runs) {
        const own = rows.filter((row) => row.run === run.at && row.rounds > 1 && timed(row) && row.predicted !== null && !row.roles.has("copy"));
        if (own.length === 0) continue;
        const times = own.map((row) => row.us);
        const ends = [Math.min(...times), Math.max(...times)];
        plot(plots, run.device, say.measuredUs, say.predictedUs, [
            { label: say.exact, line: true, bare: true, colour: "#666", points: ends.map((us) => [us, us]) },
            ...kernels.map((kernel) => ({ label: kernel, points: own.filter((row) => row.kernel === kernel).map((row) => [row.us, row.predicted]) })),
        ]);
    }
    return plots.childElementCount ? [element("h2", {}, say.predicted), plots] : [];
}

function draw(chosen) {
    language = chosen;
    say = words[language];
    document.documentElement.lang = language;
    const page = document.getElementById("page");
    page.replaceChildren();
    for (const section of [head, summary, ...kernels.map((kernel) => () => kernelSection(kernel)), roofline, predictions]) {
        page.append(...section().filter((part) => part !== null));
    }
}

draw(language);
