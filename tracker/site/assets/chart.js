// Pictures: the small line of a benchmark, its trend, and the bar of a difference.
"use strict";
(function () {
  const SPARK_WIDTH = 120, SPARK_HEIGHT = 24, SPARK_LEVELS = 80;

  site.spark = function (text) {
    const levels = text ? site.readColumn(text) : [];
    const step = levels.length > 1 ? SPARK_WIDTH / (levels.length - 1) : 0;
    const path = levels.map((level, at) => (at ? "L" : "M") + (at * step).toFixed(1) + " " +
      (2 + (SPARK_HEIGHT - 4) * (1 - level / SPARK_LEVELS)).toFixed(1)).join("");
    return site.drawing("svg", { class: "spark", viewBox: "0 0 " + SPARK_WIDTH + " " + SPARK_HEIGHT,
      width: SPARK_WIDTH, height: SPARK_HEIGHT, "aria-hidden": "true" }, site.drawing("path", { d: path }));
  };

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  function drawLine(u, value, name, dash, label) {
    const y = u.valToPos(value, "y", true);
    if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) return;
    const c = u.ctx;
    c.save();
    c.strokeStyle = c.fillStyle = colour(name);
    c.lineWidth = devicePixelRatio;
    c.setLineDash(dash.map((part) => part * devicePixelRatio));
    c.beginPath();
    c.moveTo(u.bbox.left, y);
    c.lineTo(u.bbox.left + u.bbox.width, y);
    c.stroke();
    c.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
    c.textAlign = "right";
    c.fillText(label, u.bbox.left + u.bbox.width - 4, y - 4 * devicePixelRatio);
    c.restore();
  }

  function drawBand(u, base, threshold) {
    const top = u.valToPos(base * (1 + threshold), "y", true), bottom = u.valToPos(base * (1 - threshold), "y", true);
    const clipped = Math.max(top, u.bbox.top), end = Math.min(bottom, u.bbox.top + u.bbox.height);
    if (end <= clipped) return;
    u.ctx.save();
    u.ctx.fillStyle = colour("band");
    u.ctx.fillRect(u.bbox.left, clipped, u.bbox.width, end - clipped);
    u.ctx.restore();
  }

  // A triangle below or above the point, and its commit: filled where the step is of the code and settled.
  function drawMark(u, at, value, step, label) {
    const x = u.valToPos(at, "x", true), y = u.valToPos(value, "y", true), size = 7 * devicePixelRatio;
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    const down = step.worse, base = down ? y - 3 * size : y + 3 * size, tip = down ? y - 1.2 * size : y + 1.2 * size;
    const c = u.ctx;
    c.save();
    const mark = colour(step.worse ? "worse" : "better");
    c.fillStyle = mark;
    c.font = "600 " + 11 * devicePixelRatio + "px system-ui, sans-serif";
    const half = c.measureText(label).width / 2, edge = u.bbox.left + u.bbox.width;
    c.textAlign = "center";
    const place = [Math.min(Math.max(x, u.bbox.left + half), edge - half), down ? base - 4 * devicePixelRatio : base + 13 * devicePixelRatio];
    c.strokeStyle = colour("ground");  // the line goes on below the words
    c.lineWidth = 4 * devicePixelRatio;
    c.lineJoin = "round";
    c.strokeText(label, ...place);
    c.fillText(label, ...place);
    c.strokeStyle = mark;
    c.lineWidth = 1.5 * devicePixelRatio;
    c.beginPath();
    c.moveTo(x - size, base);
    c.lineTo(x + size, base);
    c.lineTo(x, tip);
    c.closePath();
    if (step.settled && !step.other) c.fill();
    c.stroke();
    c.restore();
  }

  // A ring around each value in `at` that stands alone: what came back at once is no step.
  function drawRing(u, at, value, name, width) {
    const x = u.valToPos(at, "x", true), y = u.valToPos(value, "y", true);
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    const c = u.ctx;
    c.save();
    c.strokeStyle = colour(name);
    c.lineWidth = width * devicePixelRatio;
    c.beginPath();
    c.arc(x, y, 6 * devicePixelRatio, 0, 2 * Math.PI);
    c.stroke();
    c.restore();
  }

  function drawLevels(u, series, places) {
    const cuts = [...(series.steps || [])].sort((a, b) => a.point - b.point);
    const c = u.ctx;
    const line = function (from, to, before, after) {
      c.beginPath();
      c.moveTo(u.valToPos(from, "x", true), u.valToPos(before, "y", true));
      c.lineTo(u.valToPos(to, "x", true), u.valToPos(after, "y", true));
      c.stroke();
    };
    const edge = (point) => (places[point - 1] + places[point]) / 2;  // between a step's first point and the one before
    c.save();
    c.beginPath();
    c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    c.clip();
    c.strokeStyle = colour("ink");
    c.lineWidth = 1.5 * devicePixelRatio;
    cuts.forEach(function (step, at) {
      if (at === 0) line(places[0], edge(step.point), step.before, step.before);
      const end = at + 1 < cuts.length ? edge(cuts[at + 1].point) : places[places.length - 1];
      line(edge(step.point), end, step.after, step.after);
    });
    for (const drift of series.drifts || []) line(places[drift.from], places[drift.to - 1], drift.before, drift.after);
    c.restore();
  }

  const middle = site.middle;

  // Between these points many more commits than usual have no value: the line is broken there.
  site.gapsAfter = function (places) {
    const FEWEST = 5, TIMES_USUAL = 4;
    const apart = places.slice(1).map((place, at) => place - places[at]);
    const usual = apart.length ? middle(apart) : 1;
    return apart.map((count, at) => count >= Math.max(FEWEST, TIMES_USUAL * usual) ? at : -1).filter((at) => at >= 0);
  };

  // The points that stand alone: far from the three before and the three after them, which agree.
  site.spikes = function (series, points) {
    const AROUND = 3, TIMES_NOISE = 5;
    const logs = points.map((point) => Math.log(point.value));
    const steps = logs.slice(1).map((value, at) => Math.abs(value - logs[at]));
    const least = Math.max(Math.log1p(series.threshold), TIMES_NOISE * (steps.length ? middle(steps) : 0));
    const found = [];
    for (let at = AROUND; at + AROUND < points.length; ++at) {
      const before = middle(logs.slice(at - AROUND, at)), after = middle(logs.slice(at + 1, at + 1 + AROUND));
      if (Math.abs(before - after) < least / 2 && Math.abs(logs[at] - before) > least && Math.abs(logs[at] - after) > least) found.push(at);
    }
    return found;
  };

  // What the chart draws: a place for each point, on the line of commits, and a hole where a gap is.
  function rowsOf(points, places) {
    const gaps = new Set(site.gapsAfter(places));
    const rows = { x: [], low: [], high: [], value: [], point: [] };
    points.forEach(function (point, at) {
      const add = function (x, low, high, value, number) {
        rows.x.push(x); rows.low.push(low); rows.high.push(high); rows.value.push(value); rows.point.push(number);
      };
      add(places[at], point.low, point.high, point.value, at);
      if (gaps.has(at)) add((places[at] + places[at + 1]) / 2, null, null, null, null);
    });
    return rows;
  }

  // What stands beside the pointer: the commit, its subject, and what was measured there.
  function makeTooltip(u, series, points, rows) {
    const box = site.element("div", { class: "tooltip", hidden: true });
    u.over.append(box);
    return function () {
      const row = u.cursor.idx, number = row === null || row === undefined ? null : rows.point[row];
      box.hidden = number === null || u.cursor.left < 0;
      if (box.hidden) return;
      const point = points[number], commit = site.commits()[point.commit];
      box.replaceChildren(site.element("strong", {}, site.quantity(point.value, series.unit)),
        site.element("div", {}, site.quantity(point.low, series.unit) + " … " + site.quantity(point.high, series.unit) + " · " + site.count(point.samples, "sample")),
        site.element("div", {}, site.element("code", {}, commit.short), " " + commit.subject),
        site.element("div", { class: "note" }, commit.date + (point.disturbed ? " · disturbed" : "")));
      const x = u.valToPos(rows.x[row], "x"), onRight = x > u.over.clientWidth / 2;
      box.style.left = onRight ? "" : x + 14 + "px";
      box.style.right = onRight ? u.over.clientWidth - x + 14 + "px" : "";
      box.style.top = Math.max(0, Math.min(u.valToPos(point.value, "y") - 40, u.over.clientHeight - box.offsetHeight)) + "px";
    };
  }

  // The chart of a series in `place`; `choose` is called with the number of a point that was clicked. Returns
  // {show(point), zoom(factor), range(first, last), close()}: first and last are numbers of points.
  site.trendChart = function (place, series, points, base, choose) {
    const commits = site.commits(), places = points.map((point) => commits[point.commit].position);
    const rows = rowsOf(points, places), spikes = site.spikes(series, points);
    const byPlace = new Map(points.map((point, at) => [places[at], commits[point.commit]]));
    let chosen = null;
    const axis = { stroke: () => colour("ink"), grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { stroke: () => colour("grid"), width: 1 }, font: "12px system-ui, sans-serif" };
    const yRange = function (u, low, high) {
      if (low === null || high === null) return [0, 1];
      const floor = base ? Math.min(low, base * (1 - 2 * series.threshold)) : low;
      const top = base ? Math.max(high, base * (1 + 2 * series.threshold)) : high;
      const pad = (top - floor || top) * 0.12;
      return [floor - pad, top + pad];
    };
    // The commits under the axis are some that have a value, as far apart as their names need.
    const splits = function (u, axisAt, low, high) {
      const NAME_PIXELS = 96, room = Math.max(1, Math.floor(u.bbox.width / devicePixelRatio / NAME_PIXELS));
      const shown = places.filter((at) => at >= low && at <= high), apart = (high - low) / room;
      return shown.filter((at) => { const first = shown.last === undefined || at - shown.last >= apart; if (first) shown.last = at; return first; });
    };
    let tell = null;
    const options = {
      width: place.clientWidth || 600, height: Math.max(320, Math.min(480, Math.round(innerHeight * 0.5))), legend: { show: false }, padding: [8, 48, 0, 0],
      scales: { x: { time: false, range: (u, low, high) => [low - 0.5, high + 0.5] }, y: { range: yRange } },
      axes: [
        { ...axis, splits: splits,
          values: (u, all) => all.map((at) => byPlace.has(at) ? byPlace.get(at).short + "\n" + byPlace.get(at).date : "") },
        { ...axis, size: 84, values: (u, all) => all.map((value) => site.quantity(value, series.unit)) }],
      // The values come last: what is drawn later lies above the band of the intervals.
      series: [{}, { points: { show: false } }, { points: { show: false } },
        { stroke: () => colour("line"), width: 1.5, points: { show: points.length <= 400, size: 5, fill: () => colour("line") } }],
      bands: [{ series: [2, 1], fill: () => colour("interval") }],
      cursor: { y: false, points: { size: 8 }, drag: { x: true, y: false } },
      hooks: {
        drawAxes: [(u) => { if (base) { drawBand(u, base, series.threshold); drawLine(u, base, "muted", [4, 4], "base"); } }],
        drawSeries: [(u, at) => { if (at === 2) drawLevels(u, series, places); }],  // above the band, below the values
        draw: [function (u) {
          for (const [label, value] of series.references || []) drawLine(u, value, "limit", [8, 4], label);
          for (const at of spikes) drawRing(u, places[at], points[at].value, "limit", 1.5);
          for (const step of series.steps || []) drawMark(u, places[step.point], points[step.point].value, step, commits[points[step.point].commit].short);
          if (chosen !== null) drawRing(u, places[chosen], points[chosen].value, "ink", 2);
        }],
        setCursor: [() => { if (tell) tell(); }]
      }
    };
    const u = new uPlot(options, [rows.x, rows.low, rows.high, rows.value], place);
    tell = makeTooltip(u, series, points, rows);
    let pressed = 0;
    u.over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
    u.over.addEventListener("click", function (event) {
      const DRAGGED = 4, number = rows.point[u.cursor.idx];
      if (Math.abs(event.clientX - pressed) < DRAGGED && number !== null && number !== undefined) choose(number);
    });
    const redraw = () => u.redraw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    const sizes = new ResizeObserver(function () {
      if (place.clientWidth && place.clientWidth !== u.width) u.setSize({ width: place.clientWidth, height: options.height });
    });
    sizes.observe(place);
    const first = places[0], last = places[places.length - 1];
    const clamp = (low, high) => u.setScale("x", { min: Math.max(first, low), max: Math.min(last, high) });
    return {
      show: function (point) { chosen = point; u.redraw(false); },
      zoom: function (factor) {
        const centre = chosen === null ? (u.scales.x.min + u.scales.x.max) / 2 : places[chosen];
        const half = Math.max(1, (u.scales.x.max - u.scales.x.min) / 2 * factor);
        clamp(Math.round(centre - half), Math.round(centre + half));
      },
      range: (from, to) => clamp(places[from], places[to]),
      close: function () { sizes.disconnect(); dark.removeEventListener("change", redraw); u.destroy(); }
    };
  };

  // A bar from a middle line: to the right for the worse, to the left for the better; `most` fills its half.
  // `threshold`: where the band ends in which a difference says nothing.
  site.changeBar = function (badness, most, threshold, look) {
    const WIDTH = 200, HEIGHT = 16, half = WIDTH / 2, perShare = half / most;
    const size = Math.max(1, Math.min(half, Math.abs(badness) * perShare)), band = Math.min(half, threshold * perShare);
    return site.drawing("svg", { class: "bar", viewBox: "0 0 " + WIDTH + " " + HEIGHT, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
      site.drawing("rect", { class: "band", x: half - band, width: 2 * band, y: 0, height: HEIGHT }),
      site.drawing("rect", { class: look || "noise", x: badness > 0 ? half : half - size, width: size, y: 3, height: HEIGHT - 6 }),
      site.drawing("line", { class: "axis", x1: half, x2: half, y1: 0, y2: HEIGHT }));
  };
})();
