// Numbers and text, as the command line prints them; columns of numbers; elements of the page.
"use strict";
var site = {};

(function () {
  // As write_column() of tracker/site/data_files.cpp.
  const DIGITS = 92, ONE_DIGIT_MAX = 81, TWO_DIGIT_LEADS = 9, LONG = 90, LONG_DIGITS = 6, ZEROS_MIN = 3;

  function digitAt(text, at) {
    let code = text.charCodeAt(at);
    for (const leftOut of ["\\", "<", '"']) if (code > leftOut.charCodeAt(0)) --code;
    return code - 32;
  }

  site.readColumn = function (text) {
    const numbers = [];
    let at = 0;
    const number = function () {
      const first = digitAt(text, at++);
      if (first < ONE_DIGIT_MAX) return first;
      if (first < ONE_DIGIT_MAX + TWO_DIGIT_LEADS)
        return ONE_DIGIT_MAX + (first - ONE_DIGIT_MAX) * DIGITS + digitAt(text, at++);
      let value = 0;
      for (let i = 0; i < LONG_DIGITS; ++i) value = value * DIGITS + digitAt(text, at++);
      return value;
    };
    while (at < text.length) {
      if (digitAt(text, at) === LONG + 1) {
        ++at;
        for (let zeros = number() + ZEROS_MIN; zeros > 0; --zeros) numbers.push(0);
      } else {
        numbers.push(number());
      }
    }
    return numbers;
  };

  site.readDifferences = function (text) {
    let value = 0;
    return site.readColumn(text).map(function (code) {
      value += code % 2 === 0 ? code / 2 : -(code + 1) / 2;
      return value;
    });
  };

  const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

  // Four significant digits and an SI prefix: 15.10 µs.
  site.quantity = function (value, unit) {
    if (value === null || value === undefined || !isFinite(value)) return "–";
    if (unit === "") return String(Number(value.toPrecision(4)));
    const size = Math.abs(value);
    let prefix = size > 0 ? PREFIXES.find((p) => size >= p[0] * 0.99995) || PREFIXES[7] : PREFIXES[4];
    if (unit === "s" && prefix[0] > 1) prefix = PREFIXES[4];
    const scaled = value / prefix[0], shown = Math.abs(scaled);
    return scaled.toFixed(shown >= 999.95 ? 0 : shown >= 99.995 ? 1 : shown >= 9.9995 ? 2 : 3) + " " + prefix[1] + unit;
  };

  function percent(share) {
    const size = Math.abs(share) * 100;
    if (!isFinite(size)) return "∞";
    return size.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
  }

  // +1.24 %, −0.30 %
  site.percent = function (share) {
    const number = percent(share);
    return (Number(number) === 0 ? "" : share < 0 ? "−" : "+") + number + " %";
  };

  // 2 %, 0.5 %
  site.share = function (share) {
    const number = percent(share);
    return (number.includes(".") ? number.replace(/\.?0+$/, "") : number) + " %";
  };

  site.isWorse = function (better, change) {
    return better === "higher" ? change < 0 : change > 0;
  };

  // "4.2 % slower", "9.2× slower", "1.1 % less bandwidth": as change_in_words() of tracker/model/change_event.cpp.
  site.change = function (series, change) {
    if (!change) return "no change";
    const up = change > 0, ratio = up ? 1 + change : 1 / (1 + change), isTime = series.unit === "s";
    const asFactor = ratio >= 2 && (up || isTime);
    const times = ratio < 10 ? Math.round(ratio * 10) / 10 : Math.round(ratio);
    const size = ratio >= 1e6 ? "more than a million times" : asFactor ? times + "×" : site.share(change);
    if (isTime) return size + (up ? " slower" : " faster");
    if (series.metric === "bytes_per_second") return size + (asFactor ? " the bandwidth" : (up ? " more" : " less") + " bandwidth");
    return size + (asFactor ? " as high" : up ? " higher" : " lower");
  };

  // How much worse it got, as a logarithm; what got better is below 0.
  site.badness = function (better, change) {
    return (better === "higher" ? -1 : 1) * Math.log1p(change);
  };

  site.middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

  site.look = function (series, change) {
    return !change ? "" : site.isWorse(series.better, change) ? "worse" : "better";
  };

  // A difference of two single values: in words and colour only where it passes the threshold, as less is mostly noise.
  site.difference = function (series, change) {
    const large = Math.abs(change) >= series.threshold;
    return site.element("span", { class: large ? site.look(series, change) : "" },
      large ? site.change(series, change) : site.percent(change));
  };

  site.count = function (count, what) {
    return count + " " + what + (count === 1 ? "" : "s");
  };

  // One word of a POSIX shell, whatever is in it.
  site.shellWord = function (text) {
    return /^[A-Za-z0-9_.\/:=@%+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
  };

  // An element; strings among the children are text, never markup.
  site.element = function (name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  };

  site.button = function (words, action, attributes) {
    const made = site.element("button", { type: "button", ...attributes }, words);
    made.addEventListener("click", action);
    return made;
  };

  site.drawing = function (name, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // A table that scrolls where the window is narrow. The first cell of a row is its heading.
  site.table = function (caption, names, rows) {
    const e = site.element;
    return e("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      e("table", {},
        e("caption", { class: "hidden" }, caption),
        e("thead", {}, e("tr", {}, names.map((name) => e("th", { scope: "col" }, name)))),
        e("tbody", {}, rows)));
  };
  site.row = function (cells) {
    return site.element("tr", {}, cells.map(function (cell, at) {
      const made = at === 0 ? site.element("th", { scope: "row" }) : site.element("td");
      made.append(...[cell].flat());
      return made;
    }));
  };
})();
