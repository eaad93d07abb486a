// The frame: which view, device, range and search the address asks for.
"use strict";
(function () {
  const e = site.element, index = trackerData.index;
  const main = document.getElementById("main"), controls = document.getElementById("controls");

  // The model, or the key where several devices are of one model.
  function nameOf(device) {
    return index.devices.filter((one) => one.name === device.name).length > 1 ? device.key : device.name;
  }

  function readState() {
    const asked = new URLSearchParams(location.hash.substr(1)), state = {};
    for (const key of ["d", "r", "q", "c", "v", "b", "p", "from", "to"]) state[key] = asked.get(key) || "";
    return state;
  }

  function address(state) {
    const asked = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) if (value) asked.set(key, value);
    return "#" + asked.toString();
  }

  let state = readState();
  let asked = 0;  // views that were asked for: an older one that comes late is not shown

  // The address without a new entry in the browser's history.
  function replace(change) {
    state = { ...state, ...change };
    history.replaceState(null, "", address(state));
  }

  // `devices`: those that are shown, [{place, key, name, data}].
  function makeView(devices) {
    const known = index.ranges.findIndex((range) => range.key === state.r);
    const rangePlace = known < 0 ? index.mainRange : known;
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const later = [];
    return {
      state: state, devices: devices,
      rangePlace: rangePlace, range: index.ranges[rangePlace],
      matches: (name) => words.every((word) => name.toLowerCase().includes(word)),
      link: (change) => address({ ...state, ...change }),
      go: (change) => { location.hash = address({ ...state, ...change }); },
      replace: replace,
      whenShown: (action) => later.push(action), later: later
    };
  }

  function links(label, choices) {
    return e("nav", { "aria-label": label }, choices.map(([words, href, current, title]) =>
      e("a", { href: href, title: title, "aria-current": current ? "true" : null }, words)));
  }

  function showControls(view) {
    const search = e("input", { type: "search", id: "search", value: state.q, placeholder: "Search names" });
    search.addEventListener("input", function () {
      replace({ q: search.value });
      show(false);
    });
    const changed = e("input", { type: "checkbox", id: "changed", checked: Boolean(state.c) });
    changed.addEventListener("change", function () {
      replace({ c: changed.checked ? "1" : "" });
      show(false);
    });
    controls.replaceChildren(
      links("Devices", (index.devices.length > 1 ? [["All devices", view.link({ d: "", p: "" }), view.devices.length > 1, null]] : []).concat(
        index.devices.map((device) => [nameOf(device), view.link({ d: device.key, p: "" }), view.devices.length === 1 && view.devices[0].key === device.key, device.key]))),
      links("Range", index.ranges.map((range, at) => [range.label, view.link({ r: range.key }), at === view.rangePlace, null])),
      e("form", { role: "search" }, e("label", { for: "search", class: "hidden" }, "Search benchmarks"), search, " ",
        e("label", { for: "changed" }, changed, " changed only")));
    controls.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("footer").replaceChildren(e("p", {},
      e("a", { href: index.devices[view.devices[0].place].page }, "This history as plain tables"), " · written by " + index.tracker));
  }

  async function show(withControls) {
    const turn = ++asked;
    try {
      const views = new Map([["benchmark", site.showTrend], ["compare", site.showCompare], ["devices", site.showDevices]]);
      // All devices, unless one is named; a trend is of one.
      const named = index.devices.findIndex((device) => device.key === state.d);
      const places = named >= 0 ? [named] : state.v === "benchmark" ? [0] : index.devices.map((device, at) => at);
      const view = makeView(await Promise.all(places.map(async (place) => ({ place: place, key: index.devices[place].key,
        name: nameOf(index.devices[place]), data: await site.device(place) }))));
      const parts = await (views.get(state.v) || site.showHome)(view);
      if (turn !== asked) return;
      site.closeTrend();
      if (withControls) showControls(view);
      main.replaceChildren(...parts.filter(Boolean));
      document.title = (state.v === "benchmark" ? state.b + " · " : "") + index.title + ": performance";
      document.body.dataset.shown = String(turn);
      for (const action of view.later) action();
    } catch (error) {
      main.replaceChildren(e("p", { role: "alert" }, String(error.message || error)));
      document.body.dataset.shown = String(turn);
    }
  }

  addEventListener("hashchange", function () {
    const before = state;
    state = readState();
    const moved = before.v !== state.v || before.b !== state.b;
    show(true).then(function () {
      if (!moved) return;
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    });
  });
  document.getElementById("skip").addEventListener("click", function (event) {
    event.preventDefault();
    main.focus();
  });
  show(true);
})();
