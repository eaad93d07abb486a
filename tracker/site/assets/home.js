// The first view: what changed, by family and month, commit by commit, and every benchmark.
"use strict";
(function () {
  const e = site.element;
  const ROWS_AT_ONCE = 50, EVENTS_FIRST = 10, HITS_FIRST = 3;

  site.commitLink = function (commit) {
    const words = e("code", {}, commit.short);
    const url = trackerData.index.commitUrl;
    return url ? e("a", { href: url + commit.id, rel: "noreferrer" }, words) : words;
  };

  // A sentence of the headline, such as "Last 90 days on NVIDIA H200: 3 slower".
  site.headline = function (view) {
    const range = view.range;
    return (range.from ? "Last " + range.label : "In all of the history") + " on " + view.deviceName + ": " +
      view.data.headlines[view.rangePlace];
  };

  // What "before" is in the range that is shown.
  site.beforeWords = function (view) {
    return view.range.from ? view.range.label + " ago, or at its first value" : "at its first value";
  };

  function heat(cell, better) {
    if (!cell || !cell[0]) return "none";
    const size = Math.abs(cell[0]);
    return (site.isWorse(better, cell[0]) ? "worse" : "better") + (size >= 0.1 ? "3" : size >= 0.02 ? "2" : "1");
  }

  function monthsTable(view) {
    const raw = view.data.months;
    if (raw.rows.length === 0) return [];
    const shown = raw.months.map((month, at) => at).filter((at) => !view.range.from || raw.months[at] >= view.range.from.substr(0, 7));
    const rows = raw.rows.map(function (row) {
      const line = site.row([row.family, row.metric]);
      for (const at of shown) {
        const cell = row.cells[at];
        const title = cell ? cell[1] + " of " + site.count(cell[2], "benchmark") + " changed" : "nothing was measured";
        line.append(e("td", { class: "heat " + heat(cell, row.better), title: title },
          cell ? site.change(row.better, cell[0]) : "–"));
      }
      return line;
    });
    return [e("h2", {}, "Families by month"),
      e("p", { class: "note" }, "The geometric mean of the changes that were found. ▼ slower, ▲ faster; the sign is the metric's own."),
      site.table("Families by month", ["Family", "Metric", ...shown.map((at) => raw.months[at])], rows)];
  }

  // "mended by 1a2b3c4 Subject", "still there"
  site.eventState = function (event) {
    if (event.undone < 0) return [event.state];
    const commit = site.commits()[event.undone];
    return [event.state + " ", site.commitLink(commit), " " + commit.subject];
  };

  function eventItem(view, event) {
    const commits = site.commits(), commit = commits[event.commit], base = commits[event.base], last = commits[event.last];
    const series = view.data.series;
    const look = ([at, size]) => site.isWorse(series[at].better, size) ? "worse" : "better";
    const size = (hit) => e("span", { class: look(hit) }, site.change(series[hit[0]].better, hit[1]));
    const hits = event.hits.map((hit) => e("li", {},
      e("a", { href: view.link({ v: "benchmark", b: series[hit[0]].name, p: commit.short }) }, series[hit[0]].name), " ", size(hit)));
    const rest = hits.splice(HITS_FIRST);
    const title = event.drift ? ["drift from ", site.commitLink(base), " to ", site.commitLink(last)] : [site.commitLink(commit), " " + commit.subject];
    const range = !event.drift && event.possible > 1 ? e("p", { class: "note" }, "It may be any of the " + event.possible +
      " commits after ", site.commitLink(base), " up to ", site.commitLink(last), ".") : "";
    return e("li", { class: "event" },
      e("h3", {}, size(event.hits[0]), " ", title),
      e("p", {}, (event.drift ? "" : commit.date + " · " + commit.author + " · ") + site.count(event.hits.length, "benchmark") + " · ", site.eventState(event)),
      event.cause ? e("p", {}, "Likely cause: " + event.cause) : "",
      range, e("ul", {}, hits),
      rest.length ? e("details", {}, e("summary", {}, rest.length + " more"), e("ul", {}, rest)) : "",
      e("p", {}, e("a", { href: view.link({ v: "compare", from: base.short, to: last.short }) },
        "Compare ", base.short, " with ", last.short)));
  }

  function eventsList(view) {
    const commits = site.commits();
    const all = view.data.events.filter((event) => commits[event.drift ? event.last : event.commit].time >= view.range.from &&
      (!view.state.q || event.hits.some(([at]) => view.matches(view.data.series[at].name)) ||
        view.matches(commits[event.commit].subject)));
    const list = e("ul", { class: "events" }, all.slice(0, EVENTS_FIRST).map((event) => eventItem(view, event)));
    const parts = [e("h2", {}, "Commits that changed something"), list];
    if (all.length === 0) parts.push(e("p", {}, "None" + (view.state.q ? " that match." : ".")));
    if (all.length > EVENTS_FIRST) {
      const more = e("button", { type: "button" }, "Show all " + all.length);
      more.addEventListener("click", function () {
        list.append(...all.slice(EVENTS_FIRST).map((event) => eventItem(view, event)));
        more.remove();
      });
      parts.push(more);
    }
    return parts;
  }

  // In the order of the states, and of each the largest change first.
  function inOrder(view) {
    const size = (range) => Math.abs(Math.log1p(range[1]));
    return view.data.series.map((series, at) => ({ series: series, at: at, range: series.ranges[view.rangePlace] }))
      .sort((a, b) => a.range[0] - b.range[0] || size(b.range) - size(a.range) || a.at - b.at);
  }

  function benchmarkRow(view, one, hasLimits) {
    const { series, range } = one;
    const state = trackerData.index.states[range[0]];
    const look = range[1] === 0 ? "" : site.isWorse(series.better, range[1]) ? "worse" : "better";
    return site.row([
      e("a", { href: view.link({ v: "benchmark", b: series.name }) }, series.name),
      range[2] === null ? "–" : [e("span", { class: look }, site.change(series.better, range[1]))], state,
      site.quantity(series.now, series.unit), site.quantity(range[2], series.unit), [site.spark(range[3])]].concat(
      !hasLimits ? [] : series.limit ? site.share(series.limit[1]) + " of " + series.limit[0] : "–"));
  }

  function benchmarksTable(view) {
    const all = inOrder(view).filter((one) => view.matches(one.series.name) && (!view.state.c || trackerData.index.states[one.range[0]] !== ""));
    // Where no benchmark has a limit, nothing is said of it.
    const hasLimits = view.data.series.some((series) => series.limit);
    const rows = all.slice(0, ROWS_AT_ONCE).map((one) => benchmarkRow(view, one, hasLimits));
    const table = site.table("Benchmarks", ["Benchmark", "Change", "State", "Now", "Before", "Trend"].concat(hasLimits ? "Share of the limit" : []), rows);
    table.querySelector("table").classList.add("benchmarks");
    const parts = [e("h2", {}, "Benchmarks"), e("p", { class: "note", role: "status" },
      all.length + " of " + site.count(view.data.series.length, "benchmark") + (all.length === 0 ? ". Clear the search to see the others." : ".") +
      " Before: " + site.beforeWords(view) + "."), table];
    // The first screen does not wait for the others.
    const body = table.querySelector("tbody");
    const addMore = function (from) {
      if (from >= all.length || !body.isConnected) return;
      body.append(...all.slice(from, from + ROWS_AT_ONCE).map((one) => benchmarkRow(view, one, hasLimits)));
      setTimeout(addMore, 0, from + ROWS_AT_ONCE);
    };
    view.whenShown(() => setTimeout(addMore, 0, ROWS_AT_ONCE));
    return parts;
  }

  site.showHome = function (view) {
    const commits = site.commits();
    const newest = commits[commits.length - 1];
    return [e("p", { class: "headline" }, site.headline(view)),
      e("p", { class: "note" }, "Up to ", site.commitLink(newest), " of " + newest.date + "; ",
        e("a", { href: view.link({ v: "compare" }) }, "compare two commits"), "."),
      ...monthsTable(view), ...eventsList(view), ...benchmarksTable(view)];
  };
})();
