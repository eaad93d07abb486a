// One benchmark: its trend, a point of it in full, its changes, and all values as a table.
"use strict";
(function () {
  const e = site.element;
  let open = null;  // the chart that is shown

  site.closeTrend = function () {
    if (open) open.close();
    open = null;
  };

  // A line to copy: works where the clipboard is closed to the page.
  site.copyLine = function (label, text) {
    const field = e("input", { type: "text", readonly: true, value: text, "aria-label": label, size: Math.min(70, text.length) });
    const button = site.button("Copy", function () {
      field.select();
      const done = () => { button.textContent = "Copied"; };
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => { if (document.execCommand("copy")) done(); });
      else if (document.execCommand("copy")) done();
    });
    return e("p", { class: "copy" }, field, " ", button);
  };

  const known = (value, unit) => value === null ? "" : value + unit;

  function pointPanel(view, series, points, at, choose) {
    const commits = site.commits(), point = points[at], commit = commits[point.commit];
    const before = at > 0 ? commits[points[at - 1].commit] : null;
    const facts = [
      ["Value", site.quantity(point.value, series.unit)],
      ["95 % interval, rounded outwards", site.quantity(point.low, series.unit) + " … " + site.quantity(point.high, series.unit)],
      ["Against the commit before", before ? site.difference(series, point.value / points[at - 1].value - 1) : "–"],
      ["Samples", point.samples + " in " + site.count(point.invocations, "invocation")],
      ["Registers", known(point.registers, "")],
      ["Spills", known(point.spills, " bytes a thread")],
      ["Core clock, lowest", known(point.coreClock, " MHz")],
      ["Memory clock", known(point.memoryClock, " MHz")],
      ["Measured with", point.environment],
      ["Conditions", [point.disturbed ? "disturbed" : "undisturbed", point.atPowerCap ? "at the power limit" : ""].filter(Boolean).join(", ")]];
    const move = (words, to) => site.button(words, () => choose(to, words), { disabled: to < 0 || to >= points.length });
    return [e("h3", {}, site.commitLink(commit), " ", commit.subject),
      e("p", {}, commit.date + " · " + commit.author),
      e("p", { class: "buttons" }, move("Older", at - 1), " ", move("Newer", at + 1)),
      e("dl", {}, facts.filter(([name, value]) => value).map(([name, value]) => e("div", {}, e("dt", {}, name), e("dd", {}, value)))),
      before ? e("p", {}, e("a", { href: view.link({ v: "compare", from: before.short, to: commit.short, b: "", p: "" }) },
        "Compare all benchmarks with the commit before")) : "",
      before ? site.copyLine("Command that explains this change",
        "tracker explain " + site.shellWord(series.name) + " " + before.short + " " + commit.short) : ""];
  }

  // The event that a step or drift of this series is part of.
  function eventOf(view, place, change) {
    const CLOSE = 1e-4;
    return view.devices[0].data.events.find((event) => event.drift === change.drift &&
      event.hits.some(([at, size]) => at === place && Math.abs(size - change.size) < CLOSE * (1 + size)));
  }

  function changesTable(view, place, points) {
    const commits = site.commits(), series = view.devices[0].data.series[place];
    const line = function (last, title, size, worse, kind, drift) {
      const event = eventOf(view, place, { drift: drift, size: size });
      return { at: last, row: site.row([title, commits[points[last].commit].date,
        [e("span", { class: worse ? "worse" : "better" }, site.change(series, size))], kind,
        event ? site.eventState(event) : "–", event && event.cause || "–"]) };
    };
    const rows = (series.steps || []).map(function (step) {
      const commit = commits[points[step.point].commit];
      const kind = step.other ? "step under other conditions: " + step.other : step.settled ? "step" : "step, not settled yet";
      return line(step.point, [site.commitLink(commit), " " + commit.subject], step.after / step.before - 1, step.worse, kind, false);
    }).concat((series.drifts || []).map(function (drift) {
      const first = commits[points[drift.from].commit], last = commits[points[drift.to - 1].commit];
      return line(drift.to - 1, [site.commitLink(first), " … ", site.commitLink(last)], drift.after / drift.before - 1, drift.worse,
        "drift" + (drift.other ? " under other conditions: " + drift.other : ""), true);
    })).sort((a, b) => b.at - a.at);
    return [series.wanders ? e("p", {}, "The series " + series.wanders + ".") : "",
      rows.length > 0 ? site.table("Changes, newest first", ["Commit", "Date", "Change", "Kind", "State", "Likely cause"], rows.map((one) => one.row)) :
        series.wanders ? "" : e("p", {}, "No change of level was found in " + site.count(points.length, "commit") + ".")];
  }

  function valuesTable(series, points) {
    const commits = site.commits();
    const fold = e("details", {}, e("summary", {}, "All values as a table"));
    fold.addEventListener("toggle", function () {
      if (!fold.open || fold.querySelector("table")) return;
      fold.append(site.table("All values, newest first", ["Commit", "Date", "Value", "Interval", "Samples"], points.map(function (point) {
        const commit = commits[point.commit];
        return site.row([[site.commitLink(commit), " " + commit.subject], commit.date, site.quantity(point.value, series.unit),
          site.quantity(point.low, series.unit) + " … " + site.quantity(point.high, series.unit), String(point.samples)]);
      }).reverse()));
    });
    return fold;
  }

  function summary(view, series) {
    const range = series.ranges[view.rangePlace];
    return series.metric + (series.ended ? " at the end, " + series.ended + ": " : " now ") + site.quantity(series.now, series.unit) +
      (range[2] === null ? "" : ", before " + site.quantity(range[2], series.unit)) +
      (range[1] ? "; " + site.change(series, range[1]) : "") +
      (series.limit ? "; reaches " + site.share(series.limit[1]) + " of " + series.limit[0] : "") + ".";
  }

  site.showTrend = async function (view) {
    const place = view.devices[0].data.series.findIndex((series) => series.name === view.state.b);
    if (place < 0)
      return [e("h2", {}, "No such benchmark here"), e("p", {}, view.devices[0].name + " has no benchmark '" + view.state.b + "'. ",
        e("a", { href: view.link({ v: "", b: "", p: "" }) }, "All benchmarks"))];
    const series = view.devices[0].data.series[place], points = await site.points(view.devices[0].place, place), commits = site.commits();
    const canvas = e("div", { class: "chart", role: "img",
      "aria-label": "Trend of " + series.name + ": " + summary(view, series) + " The tables below have its changes and its values." });
    const panel = e("section", { class: "point", "aria-label": "One commit" });
    const choose = function (at, focused) {
      open.show(at);
      panel.replaceChildren(...pointPanel(view, series, points, at, choose).filter(Boolean));
      const again = focused && [...panel.querySelectorAll("button")].find((button) => button.textContent === focused && !button.disabled);
      if (again) again.focus();
      view.replace({ p: commits[points[at].commit].short });
    };
    const first = Math.max(0, points.findIndex((point) => commits[point.commit].time >= view.range.from) - 1);
    view.whenShown(function () {
      open = site.trendChart(canvas, series, points, series.ranges[view.rangePlace][2], choose);
      if (first > 0) open.range(first, points.length - 1);
      const asked = points.findIndex((point) => commits[point.commit].short === view.state.p);
      choose(asked >= 0 ? asked : points.length - 1);
    });
    return [e("p", {}, e("a", { href: view.link({ v: "", b: "", p: "" }) }, "← All benchmarks")),
      e("h2", { class: "name" }, series.name.split(/(?<=\/)/).flatMap((part) => [part, e("wbr")]), " ", e("small", {}, "on " + view.devices[0].name)), e("p", {}, summary(view, series)),
      e("p", { class: "buttons" }, site.button("Zoom in", () => open.zoom(0.5)), " ", site.button("Zoom out", () => open.zoom(2)), " ",
        site.button("Whole history", () => open.range(0, points.length - 1))),
      canvas,
      e("p", { class: "note" }, "Around the line is the interval of each value; the wide band is the threshold around the base, the level before: " + site.beforeWords(view) + ". " +
        "▼ marks a commit that made it worse, ▲ one that made it better; hollow: not settled yet, or measured under other conditions. A ring is a single value that stands alone; where commits have no value the line is broken. Drag to zoom; click a point to see it in full."),
      panel, e("h2", {}, "Changes"), ...changesTable(view, place, points), valuesTable(series, points)];
  };
})();
