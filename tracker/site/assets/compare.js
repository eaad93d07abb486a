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
    return events.find((event) => !event.drift && !event.machine && event.commit > from && event.commit <= to);
  }

  // What is known of the two commits on one device: rows, and how many benchmarks lack one of them.
  async function differences(view, device, from, to) {
    const values = await site.valuesAt(device.place, device.data.series.length, [from, to]);
    const eventsOf = device.data.series.map(() => []);
    for (const event of device.data.events) for (const [at, change] of event.hits) eventsOf[at].push({ ...event, change: change });
    const rows = [];
    let missing = 0;
    values.forEach(function ([base, candidate], at) {
      const series = device.data.series[at];
      if (base === null || candidate === null) missing += 1;
      else if (view.matches(series.name)) rows.push({ device: device, series: series, base: base, candidate: candidate, change: candidate / base - 1,
        step: stepBetween(eventsOf[at], from, to) });
    });
    return { rows: rows, missing: missing };
  }

  const badness = (one) => (one.series.better === "higher" ? -1 : 1) * Math.log1p(one.change);

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
