// Pictures: the small line of a benchmark, its trend, and the bars of a comparison.
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

  // A triangle below or above the point: filled where the step is of the code and settled.
  function drawMark(u, at, value, step) {
    const x = u.valToPos(at, "x", true), y = u.valToPos(value, "y", true), size = 7 * devicePixelRatio;
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    const down = step.worse, base = down ? y - 3 * size : y + 3 * size, tip = down ? y - 1.2 * size : y + 1.2 * size;
    const c = u.ctx;
    c.save();
    c.strokeStyle = c.fillStyle = colour(step.worse ? "worse" : "better");
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

  function drawChosen(u, chosen) {
    if (chosen === null) return;
    const x = u.valToPos(u.data[0][chosen], "x", true), y = u.valToPos(u.data[1][chosen], "y", true);
    const c = u.ctx;
    c.save();
    c.strokeStyle = colour("ink");
    c.lineWidth = 2 * devicePixelRatio;
    c.beginPath();
    c.arc(x, y, 6 * devicePixelRatio, 0, 2 * Math.PI);
    c.stroke();
    c.restore();
  }

  function drawLevels(u, series, count) {
    const cuts = [...(series.steps || [])].sort((a, b) => a.point - b.point);
    const c = u.ctx;
    const line = function (from, to, before, after) {
      c.beginPath();
      c.moveTo(u.valToPos(from, "x", true), u.valToPos(before, "y", true));
      c.lineTo(u.valToPos(to, "x", true), u.valToPos(after, "y", true));
      c.stroke();
    };
    c.save();
    c.beginPath();
    c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    c.clip();
    c.strokeStyle = colour("ink");
    c.lineWidth = 1.5 * devicePixelRatio;
    cuts.forEach(function (step, at) {
      if (at === 0) line(0, step.point - 0.5, step.before, step.before);
      const end = at + 1 < cuts.length ? cuts[at + 1].point - 0.5 : count - 1;
      line(step.point - 0.5, end, step.after, step.after);
    });
    for (const drift of series.drifts || []) line(drift.from, drift.to - 1, drift.before, drift.after);
    c.restore();
  }

  // The chart of a series in `place`; `choose` is called with the number of a point that was clicked. Returns
  // {show(point), zoom(factor), range(first, last), close()}.
  site.trendChart = function (place, series, points, base, choose) {
    const commits = site.commits();
    let chosen = null;
    const data = [points.map((p, at) => at), points.map((p) => p.value), points.map((p) => p.low), points.map((p) => p.high)];
    const axis = { stroke: () => colour("ink"), grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { stroke: () => colour("grid"), width: 1 }, font: "12px system-ui, sans-serif" };
    const yRange = function (u, low, high) {
      if (low === null || high === null) return [0, 1];
      const floor = base ? Math.min(low, base * (1 - 2 * series.threshold)) : low;
      const top = base ? Math.max(high, base * (1 + 2 * series.threshold)) : high;
      const pad = (top - floor || top) * 0.12;
      return [floor - pad, top + pad];
    };
    const options = {
      width: place.clientWidth || 600, height: 360, legend: { show: false }, padding: [8, 48, 0, 0],
      scales: { x: { time: false, range: (u, low, high) => [low - 0.5, high + 0.5] }, y: { range: yRange } },
      axes: [
        { ...axis, space: 90, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
          values: (u, splits) => splits.map((at) => points[at] ? commits[points[at].commit].short + "\n" + commits[points[at].commit].date : "") },
        { ...axis, size: 84, values: (u, splits) => splits.map((value) => site.quantity(value, series.unit)) }],
      series: [{},
        { stroke: () => colour("line"), width: 1, points: { show: points.length <= 400, size: 5, fill: () => colour("line") } },
        { points: { show: false } }, { points: { show: false } }],
      bands: [{ series: [3, 2], fill: () => colour("interval") }],
      cursor: { y: false, points: { size: 8 }, drag: { x: true, y: false } },
      hooks: {
        drawAxes: [(u) => { if (base) { drawBand(u, base, series.threshold); drawLine(u, base, "muted", [4, 4], "base"); } }],
        draw: [function (u) {
          for (const [label, value] of series.references || []) drawLine(u, value, "limit", [8, 4], label);
          drawLevels(u, series, points.length);
          for (const step of series.steps || []) drawMark(u, step.point, points[step.point].value, step);
          drawChosen(u, chosen);
        }]
      }
    };
    const u = new uPlot(options, data, place);
    let pressed = 0;
    u.over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
    u.over.addEventListener("click", function (event) {
      const DRAGGED = 4;
      if (Math.abs(event.clientX - pressed) < DRAGGED && u.cursor.idx !== null && u.cursor.idx !== undefined) choose(u.cursor.idx);
    });
    const redraw = () => u.redraw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    const sizes = new ResizeObserver(function () {
      if (place.clientWidth && place.clientWidth !== u.width) u.setSize({ width: place.clientWidth, height: options.height });
    });
    sizes.observe(place);
    const clamp = (low, high) => u.setScale("x", { min: Math.max(0, low), max: Math.min(points.length - 1, high) });
    return {
      show: function (point) { chosen = point; u.redraw(false); },
      zoom: function (factor) {
        const middle = chosen === null ? (u.scales.x.min + u.scales.x.max) / 2 : chosen;
        const half = Math.max(1, (u.scales.x.max - u.scales.x.min) / 2 * factor);
        clamp(Math.round(middle - half), Math.round(middle + half));
      },
      range: clamp,
      close: function () { sizes.disconnect(); dark.removeEventListener("change", redraw); u.destroy(); }
    };
  };

  // Bars of changes in their order, above and below a line, in so many pixels: [{change, look, name}].
  site.changeBars = function (room, changes) {
    const WIDTH = Math.max(280, Math.min(960, room - 32)), HEIGHT = 200, LEFT = 64, TOP = 12, FEWEST = 12;
    const high = Math.max(0.01, ...changes.map((one) => one.change)), low = Math.min(-0.01, ...changes.map((one) => one.change));
    const perShare = (HEIGHT - 2 * TOP) / (high - low), zero = TOP + high * perShare;
    const step = (WIDTH - LEFT) / Math.max(FEWEST, changes.length);
    const parts = [site.drawing("line", { class: "axis", x1: LEFT, x2: WIDTH, y1: zero, y2: zero })];
    const CLOSE = 14;
    for (const [y, share] of [[zero - high * perShare, high], [zero, 0], [zero - low * perShare, low]])
      if (share === 0 || Math.abs(y - zero) >= CLOSE)
        parts.push(site.drawing("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, share ? site.percent(share) : "0 %"));
    changes.forEach(function (one, at) {
      const height = Math.max(1, Math.abs(one.change) * perShare);
      parts.push(site.drawing("rect", { class: one.look, x: LEFT + at * step, width: step * 0.8,
        y: one.change > 0 ? zero - height : zero, height: height },
        site.drawing("title", {}, one.name + " " + site.percent(one.change))));
    });
    return site.drawing("svg", { class: "bars", viewBox: "0 0 " + WIDTH + " " + HEIGHT, role: "img",
      "aria-label": "The differences of " + site.count(changes.length, "benchmark") + "; the table has all of them" }, ...parts);
  };
})();
