// Two commits side by side: the differences of what was recorded. A verdict takes more, and is tracker's to give.
"use strict";
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
    return events.find((event) => !event.drift && event.commit > from && event.commit <= to);
  }

  site.showCompare = async function (view) {
    const commits = site.commits(), device = view.data;
    const find = (short, otherwise) => { const at = commits.findIndex((commit) => commit.short === short); return at < 0 ? otherwise : at; };
    const to = find(view.state.to, commits.length - 1), from = find(view.state.from, Math.max(0, to - 1));
    const values = await site.valuesAt(view.place, device.series.length, [from, to]);
    const eventsOf = device.series.map(() => []);
    for (const event of device.events) for (const [at, change] of event.hits) eventsOf[at].push({ ...event, change: change });
    const rows = [];
    let missing = 0;
    values.forEach(function ([base, candidate], at) {
      const series = device.series[at];
      if (base === null || candidate === null) missing += 1;
      else if (view.matches(series.name)) rows.push({ series: series, base: base, candidate: candidate, change: candidate / base - 1,
        step: stepBetween(eventsOf[at], from, to) });
    });
    const badness = (one) => (one.series.better === "higher" ? -1 : 1) * Math.log1p(one.change);
    rows.sort((a, b) => badness(b) - badness(a));
    const lines = rows.map((one) => site.row([
      e("a", { href: view.link({ v: "benchmark", b: one.series.name, p: commits[to].short }) }, one.series.name),
      [site.difference(one.series, one.change)], site.quantity(one.base, one.series.unit),
      site.quantity(one.candidate, one.series.unit),
      one.step ? [site.change(one.series.better, one.step.change) + " at ", site.commitLink(commits[one.step.commit])] : "–"]));
    const go = (change) => view.go({ ...change, v: "compare" });
    return [e("p", {}, e("a", { href: view.link({ v: "", from: "", to: "" }) }, "← All benchmarks")),
      e("h2", {}, "Two commits"),
      choice("Base", commits, from, (short) => go({ from: short, to: commits[to].short })),
      choice("Candidate", commits, to, (short) => go({ from: commits[from].short, to: short })),
      e("p", { class: "note" }, "Differences between the values recorded for the two commits, noise included: ▼ slower and ▲ faster stand where one passes the threshold. They are no verdicts: this command judges."),
      site.copyLine("Command that judges the two commits", "tracker compare " + commits[from].short + " " + commits[to].short),
      rows.length ? site.changeBars(document.getElementById("main").clientWidth, rows.map((one) => ({ change: one.change, name: one.series.name,
        look: Math.abs(one.change) < one.series.threshold ? "noise" : badness(one) > 0 ? "worse" : "better" }))) : "",
      e("p", { role: "status" }, site.count(rows.length, "benchmark") + " with a value at both" + (missing ? "; " + missing + " without" : "") + "."),
      e("h2", {}, "Differences, the worst first"), site.table("Differences, the worst first", ["Benchmark", "Difference", "Base", "Candidate", "Step found between"], lines)].filter(Boolean);
  };
})();
