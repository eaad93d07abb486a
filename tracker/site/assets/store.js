// The data of the site, loaded when it is needed: a file is a script, as a page from a disk may read nothing else.
"use strict";
var trackerData = {};

(function () {
  const loading = {};

  function loadFile(name) {
    if (trackerData[name]) return Promise.resolve(trackerData[name]);
    if (!loading[name])
      loading[name] = new Promise(function (done, failed) {
        const script = site.element("script", { src: "data/" + name + ".js" });
        script.onload = () => done(trackerData[name]);
        script.onerror = function () {
          delete loading[name];
          failed(new Error("data/" + name + ".js cannot be read: is the site's folder whole?"));
        };
        document.head.append(script);
      });
    return loading[name];
  }

  let commits = null;

  // [{id, short, subject, date, author, position}], oldest first.
  site.commits = function () {
    if (commits) return commits;
    const raw = trackerData.index.commits;
    const authors = site.readDifferences(raw.author), positions = site.readDifferences(raw.positions);
    const dates = raw.dates.split(" ");
    commits = raw.subjects.map(function (subject, at) {
      const id = raw.ids.substr(40 * at, 40);
      return { at: at, id: id, short: id.substr(0, 7), subject: subject, date: dates[at].substr(0, 10),
        time: dates[at], author: raw.authors[authors[at]], position: positions[at] };
    });
    return commits;
  };

  site.device = function (place) {
    return loadFile(String(place));
  };

  const SPREAD_STEP = 1.3, USUAL_SPREAD = 4, SPREAD_LEVELS = [9, 28, 200];

  // The ends of the intervals, rounded outwards: as spread_code() of tracker/site/data_files.cpp.
  function readSpreads(raw, values) {
    const distance = (level) => level === 0 ? 0 : raw.usual_spread * Math.pow(SPREAD_STEP, level - USUAL_SPREAD);
    return site.readColumn(raw.spreads).map(function (code, at) {
      let rest = code;
      const levels = SPREAD_LEVELS.find(function (count, at) {
        if (rest < count * count || at + 1 === SPREAD_LEVELS.length) return true;
        rest -= count * count;
        return false;
      });
      return [values[at] * Math.exp(-distance(Math.floor(rest / levels))),
        values[at] * Math.exp(distance(rest % levels))];
    });
  }

  function readValues(raw) {
    return site.readDifferences(raw.values).map((units) => raw.first * Math.exp(units * raw.unit));
  }

  function readCommits(raw, columns) {
    return site.readDifferences(columns[raw.commits]).map((number, at) => number + at);
  }

  // [{commit, value, low, high, …}] of a raw series; what is not known is null.
  function readPoints(raw, columns) {
    const values = readValues(raw);
    const spreads = readSpreads(raw, values);
    const column = (name) => site.readDifferences(columns[raw[name]]).map((number) => number < 0 ? null : number);
    const invocations = column("invocations"), samples = column("samples"), marks = column("marks"),
      core = column("core_clock"), memory = column("memory_clock"), registers = column("registers"),
      spills = column("spills"), environment = column("environment"), commits = readCommits(raw, columns);
    return values.map((value, at) => ({
      commit: commits[at], value: value, low: spreads[at][0], high: spreads[at][1],
      invocations: invocations[at], samples: samples[at], disturbed: (marks[at] & 1) !== 0,
      atPowerCap: (marks[at] & 2) !== 0, coreClock: core[at], memoryClock: memory[at],
      registers: registers[at], spills: spills[at], environment: raw.environments[environment[at]]
    }));
  }

  // The points of one series of a device.
  site.points = async function (device, series) {
    const perFile = trackerData.index.seriesPerFile;
    const file = await loadFile(device + "-" + Math.floor(series / perFile));
    const raw = file.series[series % perFile];
    if (!raw.points) raw.points = readPoints(raw, file.columns);
    return raw.points;
  };

  // The values of all series at these commits: [[value or null, …], …], by series.
  site.valuesAt = async function (device, count, wanted) {
    const perFile = trackerData.index.seriesPerFile;
    const names = [];
    for (let i = 0; i * perFile < count; ++i) names.push(device + "-" + i);
    const files = await Promise.all(names.map(loadFile));
    const all = [];
    for (const file of files)
      for (const raw of file.series) {
        const commits = readCommits(raw, file.columns), values = readValues(raw);
        const found = wanted.map((commit) => commits.includes(commit) ? values[commits.indexOf(commit)] : null);
        all.push(found);
      }
    return all;
  };
})();
