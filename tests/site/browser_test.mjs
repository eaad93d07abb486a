// The pages of `tracker site` in a browser, from a disk: `browser_test.mjs CASE`. What is shown, clicked and typed is
// checked in every view, at three widths, light and dark, with and without scripts.
// Environment: BROWSER, MODULES (the folder of node_modules), WRITE_MADE_UP_SITE.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { chromium } = createRequire(join(process.env.MODULES, "package.json"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "tracker-site-"));
const root = fileURLToPath(new URL("../..", import.meta.url));
const WIDTHS = [280, 360, 800, 1600];  // at the least, names have to break
const PADDED = "transpose/padded/f32/4096x4096";
const H200 = "#d=nvidia-h200-140gib-700w";
const VIEWS = ["", H200, "#v=devices", "#v=benchmark&b=" + encodeURIComponent("transpose/naive/f32/4096x4096"), "#v=benchmark&b=" + encodeURIComponent(PADDED), "#v=benchmark&b=sort&r=30d", "#v=compare&from=8ff502c&to=a81bd0a",
  "#v=benchmark&b=nothing"];

function writeSite(kind) {
  execFileSync(process.env.WRITE_MADE_UP_SITE, [folder, kind], { stdio: "inherit" });
}

let browser;

// A page that fails the test for whatever it complains of.
async function newPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error.stack)));
  page.on("console", (message) => { if (message.type() === "error") page.problems.push(message.text()); });
  page.on("dialog", (dialog) => { page.problems.push("a dialog: " + dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => { if (!request.url().startsWith("file:")) page.problems.push("asked for " + request.url()); });
  return page;
}

async function open(page, hash = "", file = "index.html") {
  await page.goto("about:blank");
  await page.goto("file://" + join(folder, file) + hash);
  await page.waitForSelector("body[data-shown]");
}

// Follows what `action` asks for until the new view stands.
async function shows(page, action) {
  const before = await page.evaluate(() => document.body.dataset.shown);
  await action();
  await page.waitForFunction((old) => document.body.dataset.shown !== old, before);
}

async function fits(page, what) {
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= room, `${what}: ${wide} pixels wide in ${room}`);
}

const cases = {
  async views() {
    writeSite("small");
    for (const colorScheme of ["light", "dark"])
      for (const width of WIDTHS) {
        const page = await newPage({ viewport: { width, height: 900 }, colorScheme });
        for (const view of VIEWS) {
          await open(page, view);
          await fits(page, `${view} at ${width}, ${colorScheme}`);
          assert.equal(await page.locator("h1").count(), 1);
          assert.ok((await page.locator("main h2").count()) > 0);
          assert.ok((await page.locator("main").innerText()).length > 50);
        }
        assert.deepEqual(page.problems, []);
        await page.context().close();
      }
  },

  async first_view() {
    writeSite("small");
    const page = await newPage();
    await open(page, H200);
    assert.match(await page.locator(".headline").innerText(), /^Last 90 days on NVIDIA H200: \d+ slower, 1 newly slower, 2 faster, 1 drifting$/);
    const months = page.getByRole("region", { name: "Families by month" });
    assert.match(await months.locator("tr", { hasText: "transpose f32" }).innerText(), /3\.\d+ % more bandwidth\s+13\.\d % less bandwidth/);
    const event = page.locator(".event", { hasText: "9 benchmarks" });
    assert.match(await event.innerText(), /^(30|29\.\d) % less bandwidth at most · a81bd0a/);
    assert.match(await event.innerText(), /still there/);
    assert.match(await event.innerText(), /Likely cause: registers 32 → 64/);
    const row = page.getByRole("region", { name: "Benchmarks" }).locator("tr", { hasText: PADDED });
    assert.match(await row.innerText(), /(20|19\.\d) % less bandwidth\s+slower\s+2\.5\d\d TB\/s\s+3\.\d+ TB\/s\s+61\.\d % of theoretical peak/);
    assert.equal(await row.locator("svg path").count(), 1);
    assert.match(await page.locator(".event a", { has: page.locator("code") }).first().getAttribute("href"), /^https:\/\/example\.org\/o\/r\/commit\/[0-9a-f]{40}$/);
    // What was mended says by whom.
    await shows(page, () => page.getByRole("link", { name: "All", exact: true }).click());
    assert.match(await page.locator(".event", { hasText: "gemm/tile/f32/2048" }).last().innerText(), /mended by [0-9a-f]{7}/);
    assert.match(await page.locator(".headline").innerText(), /^In all of the history on NVIDIA H200/);
    // A column that would be empty is not there; one value has changed by nothing that is known.
    const names = page.getByRole("region", { name: "Benchmarks" }).locator("thead");
    assert.match(await names.innerText(), /Share of the limit/);
    await page.evaluate(async () => (await site.device(0)).series.forEach((one) => {
      delete one.limit;
      for (const range of one.ranges) [range[1], range[2]] = [0, null];
    }));
    await shows(page, () => page.getByRole("link", { name: "30 days", exact: true }).click());
    assert.doesNotMatch(await names.innerText(), /Share of the limit/);
    assert.match(await row.innerText(), /–\s+\S*\s*2\.5\d\d TB\/s\s+–/);
    assert.deepEqual(page.problems, []);
  },

  // What is seen first is of all devices, the worst first, whatever they are called.
  async all_devices() {
    writeSite("small");
    const page = await newPage();
    await open(page);
    assert.match(await page.locator(".headline").innerText(), /^Last 90 days on 2 devices: 11 slower, 1 newly slower, 2 faster, 1 drifting$/);
    assert.match(await page.locator(".cards li").first().innerText(), /^NVIDIA H200\s+9 slower/);
    assert.match(await page.locator(".cards li").nth(1).innerText(), /^NVIDIA L4\s+2 slower\s+at most (30|29\.\d) % less bandwidth: transpose\/padded\/f32\/8192x8192/);
    const events = await page.locator(".event h3").allInnerTexts();
    assert.match(events[0], /^(50|49\.\d) % slower · 68db571/);
    // One commit on two devices is one event; a drift names both of its ends.
    assert.match(events[1], /^(30|29\.\d) % less bandwidth at most · a81bd0a/);
    assert.match(await page.locator(".event").nth(1).innerText(), /11 benchmarks on NVIDIA H200, NVIDIA L4/);
    assert.match(events[2], /slower · by a drift from 2abb36f to 68db571/);
    assert.match(events[3], /faster/);
    assert.match(await page.getByRole("region", { name: "Benchmarks" }).locator("tr", { hasText: "8192x8192" }).filter({ hasText: "NVIDIA L4" }).innerText(), /slower/);
    // No arrow, and no sign that says less where more is meant.
    assert.doesNotMatch(await page.locator("main").innerText(), /[▼▲−]|(?<!U)\+\d/);
    await shows(page, () => page.locator(".event").nth(1).getByRole("link", { name: "transpose/padded/f32/8192x8192" }).nth(1).click());
    assert.match(await page.locator("h2.name").innerText(), /on NVIDIA L4$/);
    await open(page, "#v=devices");
    const device = page.locator(".cards li", { hasText: "NVIDIA H200" });
    assert.match(await device.innerText(), /68db571 of 2026-08-28\s+Commits\s+9\d\s+Disturbed\s+none\s+At the power limit\s+none\s+Lowest core clock\s+1980 MHz; usually 1980, at least 1965\s+Measured with\s+driver 590\.44\.01/);
    // No row is cut off, and no name breaks within a part, on a telephone.
    await page.setViewportSize({ width: 360, height: 800 });
    for (const card of await page.locator(".cards li").all())
      assert.ok(await card.evaluate((one) => one.scrollWidth <= one.clientWidth));
    assert.deepEqual(page.problems, []);
  },

  async controls() {
    writeSite("small");
    const page = await newPage();
    await open(page, H200);
    const rows = () => page.getByRole("region", { name: "Benchmarks" }).locator("tbody tr").count();
    assert.equal(await rows(), 16);
    await shows(page, () => page.getByLabel("changed only").check());
    assert.equal(await rows(), 13);
    await shows(page, () => page.getByLabel("Search benchmarks").fill("PADDED 8192"));
    assert.equal(await rows(), 1);
    assert.ok(await page.getByLabel("Search benchmarks").evaluate((field) => field === document.activeElement));
    assert.equal(await page.locator(".event").count(), 1);
    await page.reload();
    await page.waitForSelector("body[data-shown]");
    assert.equal(await rows(), 1);
    assert.equal(await page.getByLabel("Search benchmarks").inputValue(), "PADDED 8192");
    assert.ok(await page.getByLabel("changed only").isChecked());
    await shows(page, () => page.getByLabel("Search benchmarks").fill("no such"));
    assert.match(await page.locator("main").innerText(), /0 of 16 benchmarks\. Clear the search/);
    await shows(page, () => page.getByLabel("Search benchmarks").fill(""));
    await shows(page, () => page.getByRole("link", { name: "NVIDIA L4" }).click());
    assert.match(await page.locator(".headline").innerText(), /on NVIDIA L4/);
    assert.equal(await page.getByRole("link", { name: "NVIDIA L4" }).getAttribute("aria-current"), "true");
    await shows(page, () => page.getByRole("link", { name: "30 days" }).click());
    assert.match(page.url(), /d=nvidia-l4-22gib-72w.*r=30d|r=30d.*d=nvidia-l4-22gib-72w/);
    await shows(page, () => page.goBack());
    assert.match(await page.locator(".headline").innerText(), /^Last 90 days on NVIDIA L4/);
    assert.deepEqual(page.problems, []);
  },

  async benchmark() {
    writeSite("small");
    const page = await newPage();
    await open(page, H200);
    await shows(page, () => page.getByRole("region", { name: "Benchmarks" }).getByRole("link", { name: PADDED }).click());
    assert.equal(await page.locator("h2.name").innerText(), PADDED + " on NVIDIA H200");
    assert.equal(await page.locator(".chart canvas").count(), 1);
    const panel = page.getByRole("region", { name: "One commit" });
    const newest = await panel.locator("h3").innerText();
    assert.match(await panel.innerText(), /25 in 5 invocations/);
    assert.match(await panel.innerText(), /driver 590\.44\.01/);
    assert.match(await panel.innerText(), /Registers\s+32/);
    // By keyboard to the commit before; the address has it.
    await panel.getByRole("button", { name: "Older" }).focus();
    await page.keyboard.press("Enter");
    assert.notEqual(await panel.locator("h3").innerText(), newest);
    assert.ok(await panel.getByRole("button", { name: "Older" }).evaluate((button) => button === document.activeElement));
    const short = (await panel.locator("h3 code").innerText()).trim();
    assert.match(page.url(), new RegExp("p=" + short));
    const command = await panel.getByLabel("Command that explains this change").inputValue();
    assert.match(command, new RegExp("^tracker explain " + PADDED + " [0-9a-f]{7} " + short + "$"));
    // A click on the chart chooses a point on its left.
    const box = await page.locator(".u-over").boundingBox();
    await page.mouse.click(box.x + 5, box.y + 40);
    assert.notEqual((await panel.locator("h3 code").innerText()).trim(), short);
    assert.match(await panel.innerText(), /driver 580\.159\.04|driver 590/);
    // Zooming by buttons and by dragging changes what the axis shows; the drawing changes with it.
    const drawing = () => page.locator(".chart canvas").evaluate((canvas) => canvas.toDataURL());
    const whole = await drawing();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForTimeout(50);
    const near = await drawing();
    assert.notEqual(near, whole);
    await page.getByRole("button", { name: "Whole history" }).click();
    await page.waitForTimeout(50);
    await page.mouse.move(box.x + 300, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(50);
    assert.notEqual(await drawing(), near);
    assert.match(await page.getByRole("region", { name: "Changes, newest first" }).innerText(), /(20|19\.\d) % less bandwidth\s+step\s+still there\s+registers 32 → 64/);
    await page.getByText("All values as a table").click();
    const values = page.getByRole("region", { name: "All values, newest first" }).locator("tbody tr");
    await values.nth(239).waitFor();  // the table is filled when it is opened
    assert.equal(await values.count(), 240);
    await shows(page, () => page.getByRole("link", { name: "← All benchmarks" }).click());
    assert.equal(await page.locator(".headline").count(), 1);
    assert.deepEqual(page.problems, []);
  },

  // The line and its points lie above the band of the intervals; what stands alone and what is missing are marked.
  async trend() {
    writeSite("small");
    for (const colorScheme of ["light", "dark"]) {
      const page = await newPage({ colorScheme, deviceScaleFactor: 1 });
      await open(page, "#r=all&v=benchmark&b=" + encodeURIComponent("transpose/naive/f32/4096x4096"));
      await page.waitForTimeout(100);
      const pixels = await page.locator(".chart canvas").evaluate(function (canvas) {
        const colours = {}, data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        for (const name of ["line", "interval"]) {
          const hex = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
          const wanted = [1, 3, 5].map((at) => parseInt(hex.substr(at, 2), 16));
          colours[name] = 0;
          for (let i = 0; i < data.length; i += 4) colours[name] += wanted.every((part, at) => data[i + at] === part);
        }
        return colours;
      });
      assert.ok(pixels.line > 240 * 10, `${pixels.line} pixels of 240 points, ${colorScheme}`);
      assert.ok(pixels.interval > 5000, `${pixels.interval} pixels of the band, ${colorScheme}`);
      assert.deepEqual(await page.evaluate(async () => site.spikes((await site.device(0)).series[0], await site.points(0, 0))), [215]);
      const gaps = await page.evaluate(async () => site.gapsAfter((await site.points(0, 3)).map((point) => site.commits()[point.commit].position)));
      assert.deepEqual(gaps, [189]);
      const box = await page.locator(".u-over").boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 40);
      assert.match(await page.locator(".tooltip").innerText(), /^[\d.]+ TB\/s\n[\d.]+ TB\/s … [\d.]+ TB\/s · 25 samples\n[0-9a-f]{7} \S.*\n2026-/);
      await open(page, "#r=all&v=benchmark&b=" + encodeURIComponent("reduce/old/f32/1024"));
      assert.match(await page.locator("main").innerText(), /real_time at the end, 2026-06-19: [\d.]+ µs/);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  },

  async compare() {
    writeSite("small");
    const page = await newPage();
    await open(page, H200);
    await shows(page, () => page.locator(".event", { hasText: "9 benchmarks" }).getByRole("link", { name: /^Compare/ }).click());
    const table = page.getByRole("region", { name: "Differences, the worst first" });
    assert.match(await table.locator("tbody tr").first().innerText(), /transpose\/padded\/f32\/8192x8192\s+(29\.\d|30) % less bandwidth/);
    assert.match(await table.locator("tbody tr").first().innerText(), /at a81bd0a/);
    assert.match(await page.locator("main").innerText(), /13 benchmarks with a value at both; 3 without/);
    assert.match(await page.locator("main").innerText(), /They are no verdicts/);
    assert.equal(await page.getByLabel("Command that judges the two commits").inputValue(), "tracker compare 8ff502c a81bd0a");
    // Worse is to the right in each of them, less bandwidth as well as more time.
    const bars = await table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [row.querySelector("td:nth-of-type(2)").innerText, Number(row.querySelector("rect.worse, rect.better, rect.noise").getAttribute("x"))]));
    assert.equal(bars.length, 13);
    for (const [words, left] of bars) {
      if (/less bandwidth|slower/.test(words)) assert.equal(left, 100, words);
      if (/more bandwidth|faster/.test(words)) assert.ok(left < 100, words);
    }
    assert.ok(bars.some(([words]) => /less bandwidth/.test(words)) && bars.some(([words]) => /slower/.test(words)));
    // Differences of noise carry no mark.
    assert.match(await table.locator("tr", { hasText: "gemm/tile/f32/2048" }).innerText(), /2048\s+[+−][01]\.\d\d %/);
    await shows(page, () => page.getByLabel("Base").selectOption({ index: 0 }));
    assert.match(page.url(), /v=compare/);
    assert.deepEqual(page.problems, []);
  },

  async without_scripts() {
    writeSite("small");
    for (const width of WIDTHS) {
      const page = await newPage({ javaScriptEnabled: false, viewport: { width, height: 900 } });
      await page.goto("file://" + join(folder, "index.html"));
      assert.match(await page.locator("main").innerText(), /Last 90 days on NVIDIA H200: \d+ slower/);
      assert.match(await page.locator("main").innerText(), /registers 32 → 64/);
      assert.equal(await page.locator("main table").count(), 2);
      await page.getByRole("link", { name: "All benchmarks of NVIDIA H200" }).click();
      assert.match(await page.locator("tr", { hasText: PADDED }).last().innerText(), /2\.5\d\d TB\/s\s+3\.\d+ TB\/s\s+(20|19\.\d) % less bandwidth\s+slower/);
      assert.match(await page.locator("tr", { hasText: "transpose f32" }).first().innerText(), /13\.\d % less bandwidth/);
      assert.match(await page.locator("main").innerText(), /<img src=x onerror=/);
      assert.equal(await page.locator("img, script, svg").count(), 0);
      await page.getByRole("link", { name: "All devices" }).click();
      assert.match(page.url(), /index\.html$/);
    }
  },

  // Names and subjects are text in every view, and the policy stops what is not.
  async hostile_names() {
    writeSite("small");
    const page = await newPage();
    await open(page);
    const names = await page.evaluate(async () => (await site.device(0)).series.map((series) => series.name));
    assert.equal(names.length, 16);
    assert.ok(names.includes("<img src=x onerror=\"document.title='hit'\">/a/8"));
    const harmless = async function () {
      assert.equal(await page.locator("main img, main script, main iframe, main [onerror], main [onload], a[href^=javascript]").count(), 0);
      assert.ok(!(await page.title()).startsWith("hit"));
      assert.equal(await page.evaluate(() => document.title === "hit"), false);
    };
    await harmless();
    for (const name of names.slice(9)) {
      await open(page, "#v=benchmark&b=" + encodeURIComponent(name));
      assert.equal(await page.locator("h2.name").innerText(), name + " on NVIDIA H200");
      await page.getByText("All values as a table").click();
      await harmless();
    }
    await open(page, "#v=benchmark&b=" + encodeURIComponent(names.find((name) => name.includes("touch hit"))));
    assert.match(await page.getByLabel("Command that explains this change").inputValue(),
      /^tracker explain '\{tables\}\{title\}\$\(touch hit\)`touch hit`'\\''; touch hit; '\\''\/a\/8' [0-9a-f]{7} [0-9a-f]{7}$/);
    for (const hash of ["#v=benchmark&b=<img src=x onerror=document.title='hit'>", "#v=__proto__&d=<b>&r=constructor&p=%00",
      "#v=compare&from=<script>&to=__proto__", "#q=<svg onload=document.title='hit'>"]) {
      await open(page, hash);
      assert.equal(await page.getByRole("alert").count(), 0, hash);
      await harmless();
    }
    assert.deepEqual(page.problems, []);
    // What would be markup all the same does not run.
    await page.evaluate(() => {
      document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=\"document.title='hit'\"><a id=evil href=\"javascript:document.title='hit'\">x</a>");
      const script = document.createElement("script");
      script.textContent = "document.title = 'hit'";
      document.body.append(script);
    });
    await page.click("#evil");
    await page.waitForTimeout(100);
    assert.notEqual(await page.title(), "hit");
    assert.ok(page.problems.some((problem) => /Content Security Policy/.test(problem)));
  },

  async accessibility() {
    writeSite("small");
    const axe = readFileSync(join(process.env.MODULES, "node_modules/axe-core/axe.min.js"), "utf8");
    const check = async function (page, what) {
      await page.evaluate(axe + "; 0");
      const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(found.violations.map((one) => one.id + ": " + one.nodes[0].html + " " + one.nodes[0].failureSummary), [], what);
      assert.ok(found.passes.length > 10, what);
    };
    for (const [colorScheme, width] of [["light", 360], ["light", 1600], ["dark", 800]])
      {
        const page = await newPage({ bypassCSP: true, colorScheme, viewport: { width, height: 900 } });
        for (const view of VIEWS) {
          await open(page, view);
          await check(page, `${view} ${colorScheme} at ${width}`);
        }
        await page.goto("file://" + join(folder, "nvidia-h200-140gib-700w.html"));
        await check(page, `the plain page, ${colorScheme} at ${width}`);
        await page.context().close();
      }
  },

  // With keys alone: past the controls, to a benchmark, back.
  async keyboard() {
    writeSite("small");
    const page = await newPage();
    await open(page);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    const seen = new Set();
    for (let i = 0; i < 120 && !seen.has("sort"); ++i) {
      await page.keyboard.press("Tab");
      seen.add(await page.evaluate(() => document.activeElement.textContent));
    }
    assert.ok(seen.has("sort"));
    await shows(page, () => page.keyboard.press("Enter"));
    assert.match(await page.locator("h2.name").innerText(), /^sort on/);
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.deepEqual(page.problems, []);
  },

  async print() {
    writeSite("small");
    const page = await newPage({ colorScheme: "dark" });
    await open(page);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.locator("#controls").isVisible(), false);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    assert.equal(await page.locator(".headline").isVisible(), true);
    assert.ok((await page.pdf({ format: "A4" })).length > 10000);
  },

  // Numbers and columns of them are read and printed as the command line does.
  async numbers() {
    writeSite("small");
    const known = JSON.parse(execFileSync(process.env.WRITE_MADE_UP_SITE, [folder, "numbers"], { encoding: "utf8" }));
    const page = await newPage();
    await open(page);
    const read = await page.evaluate((all) => ({
      quantities: all.quantities.map(([value, unit]) => site.quantity(value, unit)),
      percents: all.percents.map(([share]) => site.percent(share)),
      shares: all.shares.map(([share]) => site.share(share)),
      changes: all.changes.map((one) => site.change(one, one.change)),
      columns: all.columns.map((one) => site.readColumn(one.text)),
      differences: all.differences.map((one) => site.readDifferences(one.text))
    }), known);
    assert.deepEqual(read.quantities, known.quantities.map((one) => one[2]));
    assert.deepEqual(read.percents, known.percents.map((one) => one[1]));
    assert.deepEqual(read.shares, known.shares.map((one) => one[1]));
    assert.deepEqual(read.changes, known.changes.map((one) => one.words));
    assert.deepEqual(read.columns, known.columns.map((one) => one.numbers));
    assert.deepEqual(read.differences, known.differences.map((one) => one.numbers));
    assert.ok(known.quantities.length > 20 && known.columns.length > 5);
    // A series comes back as it was written: to 0.025 %, with its interval never narrower.
    const points = await page.evaluate(() => site.points(0, 1));
    assert.equal(points.length, known.points.length);
    points.forEach(function (point, at) {
      const [median, low, high] = known.points[at];
      assert.ok(Math.abs(Math.log(point.value / median)) < 2.6e-4);
      const below = Math.log(point.value / point.low), above = Math.log(point.high / point.value);
      assert.ok(below >= Math.log(median / low) * 0.999 && below <= Math.log(median / low) * 1.301 + 1e-3 * 2);
      assert.ok(above >= Math.log(high / median) * 0.999 && above <= Math.log(high / median) * 1.301 + 1e-3 * 2);
    });
  },

  // 500 benchmarks × 2,000 commits × 3 devices.
  async large() {
    writeSite("large");
    const sizes = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name))).filter((entry) => entry.isFile());
    const bytes = sizes.reduce((sum, entry) => sum + entry.size, 0);
    assert.ok(bytes < 10e6, bytes + " bytes");
    const page = await newPage();
    const times = [];
    for (let i = 0; i < 5; ++i) {
      await open(page);
      times.push(Math.round(await page.evaluate(() => performance.now())));
    }
    await page.waitForFunction(() => document.querySelectorAll(".benchmarks tbody tr").length === 1500);
    await shows(page, () => page.getByRole("region", { name: "Benchmarks" }).getByRole("link").first().click());
    assert.equal(await page.locator(".chart canvas").count(), 1);
    await open(page, "#v=compare");
    assert.match(await page.locator("main").innerText(), /1500 benchmarks with a value at both/);
    assert.deepEqual(page.problems, []);
    console.log(`${bytes} bytes; shown after ${times.join(", ")} ms`);
  },

  // The copies of uPlot are those that npm's package of this version and hash holds.
  async vendored() {
    const hash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
    const from = join(process.env.MODULES, "node_modules/uplot"), to = join(root, "tracker/site/assets/uplot");
    for (const [ours, theirs] of [["uPlot.iife.min.js", "dist/uPlot.iife.min.js"], ["uPlot.min.css", "dist/uPlot.min.css"], ["LICENSE.txt", "LICENSE"]])
      assert.equal(hash(join(to, ours)), hash(join(from, theirs)), ours);
  }
};

const wanted = cases[process.argv[2]];
if (!wanted) {
  console.error("no case '" + process.argv[2] + "': " + Object.keys(cases).join(", "));
  process.exit(2);
}
const root_options = process.getuid && process.getuid() === 0 ? ["--no-sandbox"] : [];
browser = await chromium.launch({ executablePath: process.env.BROWSER, args: root_options });
try {
  await wanted();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
