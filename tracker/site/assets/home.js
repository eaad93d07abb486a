// The views of all benchmarks. The first: what changed, by family and month, commit by commit, and every benchmark.
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
    const all = view.devices.length > 1, index = trackerData.index;
    return (view.range.from ? "Last " + view.range.label : "In all of the history") + " on " +
      (all ? site.count(view.devices.length, "device") : view.devices[0].name) + ": " +
      (all ? index.headlines : view.devices[0].data.headlines)[view.rangePlace];
  };

  // What "before" is in the range that is shown.
  site.beforeWords = function (view) {
    return view.range.from ? view.range.label + " ago, or at its first value" : "at its first value";
  };

  function heat(cell, better) {
    const NOISE = 0.001, size = cell ? Math.abs(cell[0]) : 0;
    if (size < NOISE) return "none";
    return (site.isWorse(better, cell[0]) ? "worse" : "better") + (size >= 0.1 ? "3" : size >= 0.02 ? "2" : "1");
  }

  // How much worse a family got in the months that are shown.
  const lossOf = (row) => row.cells.reduce((sum, cell) => sum + (cell ? site.badness(row.better, cell[0]) : 0), 0);

  const several = (view) => view.devices.length > 1;

  function monthsTable(view) {
    const months = [...new Set(view.devices.flatMap((device) => device.data.months.months))].sort()
      .filter((month) => !view.range.from || month >= view.range.from.substr(0, 7));
    const all = view.devices.flatMap(function (device) {
      const raw = device.data.months;
      return raw.rows.map((row) => ({ ...row, device: device, cells: months.map((month) => row.cells[raw.months.indexOf(month)] || null) }));
    });
    if (all.length === 0) return [];
    // Those that changed; the rest are many and say nothing.
    const changed = all.filter((row) => row.cells.some((cell) => cell && cell[0]));
    changed.sort((a, b) => lossOf(b) - lossOf(a));
    const rows = changed.map(function (row) {
      const line = site.row([row.family].concat(several(view) ? row.device.name : []));
      for (const cell of row.cells)
        line.append(e("td", { class: "heat " + heat(cell, row.better), title: cell ? cell[1] + " of " + site.count(cell[2], "benchmark") + " changed" : "nothing was measured" },
          !cell ? "" : cell[0] ? site.change(row, cell[0]) : "·"));
      return line;
    });
    const steady = all.length - changed.length;
    const note = e("p", { class: "note" }, "The geometric mean of the changes that were found. · is no change, and an empty cell no measurement." +
      (steady ? " " + (steady === 1 ? "1 family" : steady + " families") + " without a change." : ""));
    return [e("h2", {}, "Families by month"), note].concat(rows.length === 0 ? [] :
      [site.table("Families by month", ["Family"].concat(several(view) ? "Device" : [], months), rows)]);
  }

  // "mended by 1a2b3c4 Subject", "still there"
  site.eventState = function (event) {
    if (event.undone < 0) return [event.state];
    const commit = site.commits()[event.undone];
    return [event.state + " ", site.commitLink(commit), " " + commit.subject];
  };

  // Those of one commit on several devices are one. What is worse and still there stands first, then what got better.
  site.eventsOf = function (view) {
    const found = new Map();
    for (const device of view.devices)
      for (const event of device.data.events) {
        const key = [event.drift, event.base, event.commit, event.last, event.undone, event.state, event.cause].join(" ");
        const hits = event.hits.map(([at, size]) => ({ device: device, series: device.data.series[at], size: size }));
        if (found.has(key)) found.get(key).hits.push(...hits);
        else found.set(key, { ...event, hits: hits });
      }
    const size = (hit) => Math.abs(Math.log1p(hit.size));
    const rank = (event) => event.undone >= 0 ? 2 : site.isWorse(event.hits[0].series.better, event.hits[0].size) ? 0 : 1;
    const all = [...found.values()];
    for (const event of all) event.hits.sort((a, b) => size(b) - size(a));
    return all.sort((a, b) => rank(a) - rank(b) || size(b.hits[0]) - size(a.hits[0]) || b.last - a.last);
  };

  function eventItem(view, event) {
    const commits = site.commits(), commit = commits[event.commit], base = commits[event.base], last = commits[event.last];
    const words = (hit) => e("span", { class: site.look(hit.series, hit.size) }, site.change(hit.series, hit.size));
    const hits = event.hits.map((hit) => e("li", {},
      e("a", { href: view.link({ v: "benchmark", d: hit.device.key, b: hit.series.name, p: commit.short }) }, hit.series.name), " ", words(hit),
      several(view) ? e("span", { class: "note" }, " on " + hit.device.name) : ""));
    const rest = hits.splice(HITS_FIRST);
    const title = event.machine ? ["the machine changed between ", site.commitLink(base), " and ", site.commitLink(last)] : event.drift ? ["by a drift from ", site.commitLink(base), " to ", site.commitLink(last)] : [site.commitLink(commit), " " + commit.subject];
    const range = !event.drift && !event.machine && event.possible > 1 ? e("p", { class: "note" }, "It may be any of the " + event.possible +
      " commits after ", site.commitLink(base), " up to ", site.commitLink(last), ".") : "";
    const on = [...new Set(event.hits.map((hit) => hit.device))];
    return e("li", { class: "event " + (event.undone >= 0 ? "over" : site.look(event.hits[0].series, event.hits[0].size) + "-side") },
      e("h3", {}, words(event.hits[0]), event.hits.length > 1 ? " at most" : "", " · ", title),
      e("p", { class: "note" }, (event.drift || event.machine ? base.date + " … " + last.date : commit.date + " · " + commit.author) + " · " + site.count(event.hits.length, "benchmark") +
        (several(view) ? " on " + on.map((device) => device.name).join(", ") : "") + " · ", site.eventState(event)),
      event.cause ? e("p", {}, (event.machine ? "" : "Likely cause: ") + event.cause) : "",
      range, e("ul", {}, hits),
      rest.length ? e("details", {}, e("summary", {}, rest.length + " more"), e("ul", {}, rest)) : "",
      e("p", {}, e("a", { href: view.link({ v: "compare", from: base.short, to: last.short }) },
        "Compare ", base.short, " with ", last.short)));
  }

  function eventsList(view) {
    const commits = site.commits();
    const all = site.eventsOf(view).filter((event) => commits[event.drift ? event.last : event.commit].time >= view.range.from &&
      (!view.state.q || event.hits.some((hit) => view.matches(hit.series.name)) || view.matches(commits[event.commit].subject)));
    const list = e("ul", { class: "events" }, all.slice(0, EVENTS_FIRST).map((event) => eventItem(view, event)));
    const parts = [e("h2", {}, "What changed, the worst first"), list];
    if (all.length === 0) parts.push(e("p", {}, "Nothing" + (view.state.q ? " that matches." : ".")));
    if (trackerData.index.below) parts.push(e("p", { class: "note" }, trackerData.index.below.replace(": --", ": tracker site --") + "."));
    if (all.length > EVENTS_FIRST) {
      parts.push(site.button("Show all " + all.length, function (event) {
        list.append(...all.slice(EVENTS_FIRST).map((one) => eventItem(view, one)));
        event.target.remove();
      }));
    }
    return parts;
  }

  // In the order of the states, and of each the largest change first.
  function inOrder(view) {
    const size = (range) => Math.abs(Math.log1p(range[1]));
    return view.devices.flatMap((device) => device.data.series.map((series, at) => ({ device: device, series: series, at: at, range: series.ranges[view.rangePlace] })))
      .sort((a, b) => a.range[0] - b.range[0] || size(b.range) - size(a.range) || a.at - b.at);
  }

  function benchmarkRow(view, one, hasLimits) {
    const { device, series, range } = one;
    const state = [trackerData.index.states[range[0]], series.ended ? "ended " + series.ended : ""].filter(Boolean).join(", ");
    return site.row([
      e("a", { href: view.link({ v: "benchmark", d: device.key, b: series.name }) }, series.name)].concat(
      several(view) ? device.name : [], [
      range[2] === null ? "–" : [e("span", { class: trackerData.index.states[range[0]] ? site.look(series, range[1]) : "" }, range[1] ? site.change(series, range[1]) : "·")], state,
      site.quantity(series.now, series.unit), site.quantity(range[2], series.unit), [site.spark(range[3])]],
      !hasLimits ? [] : series.limit ? site.share(series.limit[1]) + " of " + series.limit[0] : "–"));
  }

  function benchmarksTable(view) {
    const all = inOrder(view).filter((one) => view.matches(one.series.name) && (!view.state.c || trackerData.index.states[one.range[0]] !== ""));
    // Where no benchmark has a limit, nothing is said of it.
    const hasLimits = view.devices.some((device) => device.data.series.some((series) => series.limit));
    const rows = all.slice(0, ROWS_AT_ONCE).map((one) => benchmarkRow(view, one, hasLimits));
    const table = site.table("Benchmarks", ["Benchmark"].concat(several(view) ? "Device" : [], ["Change", "State", "Now", "Before", "Trend"], hasLimits ? "Share of the limit" : []), rows);
    table.querySelector("table").classList.add("benchmarks");
    const parts = [e("h2", {}, "Benchmarks"), e("p", { class: "note", role: "status" },
      all.length + " of " + site.count(view.devices.reduce((sum, device) => sum + device.data.series.length, 0), "benchmark") + (all.length === 0 ? ". Clear the search to see the others." : ".") +
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

  // A card for each device, the one that lost most first.
  function deviceCards(view) {
    const badness = (series) => site.badness(series.better, series.ranges[view.rangePlace][1]);
    const loss = (device) => device.data.series.reduce((sum, series) => sum + Math.max(0, badness(series)), 0);
    const worst = (device) => device.data.series.filter((series) => badness(series) > 0).sort((a, b) => badness(b) - badness(a))[0];
    return e("ul", { class: "cards" }, [...view.devices].sort((a, b) => loss(b) - loss(a)).map(function (device) {
      const series = worst(device);
      return e("li", {}, e("a", { href: view.link({ d: device.key }) }, device.name), e("p", {}, device.data.headlines[view.rangePlace]),
        series ? e("p", { class: "note" }, "at most ", e("span", { class: "worse" }, site.change(series, series.ranges[view.rangePlace][1])), ": " + series.name) : "");
    }));
  }

  site.showHome = function (view) {
    const commits = site.commits();
    const newest = commits[commits.length - 1];
    return [e("p", { class: "headline" }, site.headline(view)),
      e("p", { class: "note" }, "Up to ", site.commitLink(newest), " of " + newest.date + "; ",
        e("a", { href: view.link({ v: "compare" }) }, "compare two commits"), "; ",
        e("a", { href: view.link({ v: "devices" }) }, "how the devices are"), "."),
      several(view) ? deviceCards(view) : "",
      ...eventsList(view), ...monthsTable(view), ...benchmarksTable(view)];
  };
})();

// The devices: under which conditions they measured, commit by commit.
(function () {
  const e = site.element;

  // The values of a column of points by commit, made one by `join`.
  function byCommit(all, value, join) {
    const found = new Map();
    for (const points of all)
      for (const point of points) {
        const one = value(point);
        if (one !== null) found.set(point.commit, found.has(point.commit) ? join(found.get(point.commit), one) : one);
      }
    return [...found].sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
  }

  const share = (count, all) => all === 0 ? "–" : count === 0 ? "none" : count + " of " + all + " (" + site.share(count / all) + ")";

  // Rows of the machine's own speed, the newest first: what the sentinel took against its newest level.
  function sentinelRows(stretches) {
    const level = (moved) => Math.abs(moved) < 0.001 ? "as now" : site.share(Math.abs(moved)) + (moved > 0 ? " slower than now" : " faster than now");
    return [...(stretches || [])].reverse().map(([first, last, nights, moved, why]) =>
      ["Sentinel " + (first === last ? first : first + " to " + last),
        nights + (nights === 1 ? " night, " : " nights, ") + level(moved) + (why ? "; before: " + why : "")]);
  }

  async function deviceCard(view, device) {
    const from = view.range.from, commits = site.commits();
    const all = (await Promise.all(device.data.series.map((series, at) => site.points(device.place, at))))
      .map((points) => points.filter((point) => commits[point.commit].time >= from));
    const measured = [...new Set(all.flatMap((points) => points.map((point) => point.commit)))].sort((a, b) => a - b);
    const disturbed = byCommit(all, (point) => point.disturbed ? 1 : 0, Math.max).filter(Boolean).length;
    const capped = byCommit(all, (point) => point.atPowerCap ? 1 : 0, Math.max).filter(Boolean).length;
    const clocks = byCommit(all, (point) => point.coreClock, Math.min);
    const environments = [...new Set(all.flatMap((points) => points.map((point) => point.environment)))].filter(Boolean);
    const newest = measured.length ? commits[measured[measured.length - 1]] : null;
    return e("li", {}, e("h3", {}, e("a", { href: view.link({ v: "", d: device.key }) }, device.name)),
      e("dl", {}, [
        ["Newest run", newest ? [site.commitLink(newest), " of " + newest.date] : "nothing in this range"],
        ["Commits", String(measured.length)],
        ["Disturbed", share(disturbed, measured.length)],
        ["At the power limit", share(capped, measured.length)],
        ["Lowest core clock", clocks.length ? clocks[clocks.length - 1] + " MHz; usually " + site.middle(clocks) + ", at least " + Math.min(...clocks) : "not known"],
        ["Measured with", environments.length === 0 ? "not known" : environments[environments.length - 1] + (environments.length > 1 ? "; " + (environments.length - 1) + " other before" : "")],
        ...sentinelRows(device.data.sentinel),
      ].map(([name, value]) => e("div", {}, e("dt", {}, name), e("dd", {}, value)))));
  }

  site.showDevices = async function (view) {
    const cards = await Promise.all(view.devices.map((device) => deviceCard(view, device)));
    return [e("p", {}, e("a", { href: view.link({ v: "" }) }, "← All benchmarks")), e("h2", {}, "How the devices are"),
      e("p", { class: "note" }, "Of the commits with a run in this range: how many were measured while others used the machine or its clocks were held down, how many at the power limit, and the lowest core clock of the newest."),
      e("ul", { class: "cards wide" }, cards)];
  };
})();

// Two commits side by side: the differences of what was recorded. A verdict takes more, and is tracker's to give.
(function () {
  const e = site.element;

  function choice(label, commits, chosen, changed) {
    const list = e("select", { id: "choose-" + label });
    for (let at = commits.length - 1; at >= 0; --at)
      list.append(e("option", { value: commits[at].short, selected: at === chosen },
        commits[at].short + " · " + commits[at].date + " · " + commits[at].subject));
    list.addEventListener("change", () => changed(list.value));
    return e("p", {}, e("label", { for: list.id }, label + " "), list);
  }

  // The step that tracker found in the series between the two commits.
  function stepBetween(events, from, to) {
    return events.find((event) => !event.drift && !event.machine && event.commit > from && event.commit <= to);
  }

  // What is known of the two commits on one device: rows, and how many benchmarks lack one of them.
  async function differences(view, device, from, to) {
    const values = await site.valuesAt(device.place, device.data.series.length, [from, to]);
    const eventsOf = device.data.series.map(() => []);
    for (const event of device.data.events) for (const [at, change] of event.hits) eventsOf[at].push({ ...event, change: change });
    const known = values.map(([base, candidate], at) => ({ device: device, series: device.data.series[at], base: base, candidate: candidate,
      change: candidate / base - 1, step: stepBetween(eventsOf[at], from, to) })).filter((row) => row.base !== null && row.candidate !== null);
    return { rows: known.filter((row) => view.matches(row.series.name)), missing: values.length - known.length };
  }

  const badness = (one) => site.badness(one.series.better, one.change);

  site.showCompare = async function (view) {
    const MIN_SPAN = 0.02, commits = site.commits(), several = view.devices.length > 1;
    const find = (short, otherwise) => { const at = commits.findIndex((commit) => commit.short === short); return at < 0 ? otherwise : at; };
    const to = find(view.state.to, commits.length - 1), from = find(view.state.from, Math.max(0, to - 1));
    const found = await Promise.all(view.devices.map((device) => differences(view, device, from, to)));
    const rows = found.flatMap((one) => one.rows), missing = found.reduce((sum, one) => sum + one.missing, 0);
    rows.sort((a, b) => badness(b) - badness(a));
    const most = Math.max(MIN_SPAN, ...rows.map((one) => Math.abs(badness(one))));
    const look = (one) => Math.abs(one.change) < one.series.threshold ? "" : site.look(one.series, one.change);
    const lines = rows.map((one) => site.row([
      e("a", { href: view.link({ v: "benchmark", d: one.device.key, b: one.series.name, p: commits[to].short }) }, one.series.name)].concat(several ? one.device.name : [], [
      [site.changeBar(badness(one), most, one.series.threshold, look(one))], [site.difference(one.series, one.change)],
      site.quantity(one.base, one.series.unit), site.quantity(one.candidate, one.series.unit),
      one.step ? [site.change(one.series, one.step.change) + " at ", site.commitLink(commits[one.step.commit])] : ""])));
    const go = (change) => view.go({ ...change, v: "compare" });
    const past = rows.filter((one) => look(one)), worse = past.filter((one) => badness(one) > 0).length;
    return [e("p", {}, e("a", { href: view.link({ v: "", from: "", to: "" }) }, "← All benchmarks")),
      e("h2", {}, "Two commits"),
      choice("Base", commits, from, (short) => go({ from: short, to: commits[to].short })),
      choice("Candidate", commits, to, (short) => go({ from: commits[from].short, to: short })),
      e("p", { class: "headline" }, past.length === 0 ? "No difference past the threshold" : worse + " worse and " + (past.length - worse) + " better by more than the threshold"),
      e("p", { class: "note" }, "Differences between the values recorded for the two commits, noise included. They are no verdicts: this command judges."),
      site.copyLine("Command that judges the two commits", "tracker compare " + commits[from].short + " " + commits[to].short),
      e("p", { role: "status" }, site.count(rows.length, "benchmark") + " with a value at both" + (missing ? "; " + missing + " without" : "") + "."),
      e("h2", {}, "Differences, the worst first"),
      e("p", { class: "note" }, "A bar to the right is worse, one to the left better, whatever the metric; in the band it is less than the threshold."),
      site.table("Differences, the worst first", ["Benchmark"].concat(several ? "Device" : [], ["Better ← → worse", "Difference", "Base", "Candidate", "Step found between"]), lines)].filter(Boolean);
  };
})();
