// The pictures of docs/site.md: `PAGES=pictures.mjs tests/site/browser.sh SITE OUT`, with SITE from recorded_site.py.
// Environment: as browser_test.mjs.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const { chromium } = createRequire(join(process.env.MODULES, "package.json"))("playwright-core");
const [site, out] = process.argv.slice(2).map((path) => resolve(path));
const PADDED = encodeURIComponent("transpose/smem_padded/f32/8192x8192");

const root_options = process.getuid && process.getuid() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: root_options });

async function open(address, colorScheme, height) {
  const page = await browser.newPage({ viewport: { width: 1000, height }, colorScheme, deviceScaleFactor: 1.5 });
  await page.goto("file://" + join(site, "index.html") + address);
  await page.waitForSelector("body[data-shown]");
  return page;
}

async function take(name, address, colorScheme, height) {
  const page = await open(address, colorScheme, height);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, name) });
}

// The two commits around the change.
const page = await open("", "light", 700);
const [base, changed] = await page.evaluate(function () {
  const commits = window.site.commits(), at = commits.findIndex((commit) => commit.subject.startsWith("Remove"));
  return [commits[at - 1].short, commits[at].short];
});
await take("site.png", "", "light", 860);
await take("site-benchmark.png", "#v=benchmark&b=" + PADDED + "&p=" + changed, "light", 760);
await take("site-compare.png", "#v=compare&from=" + base + "&to=" + changed, "dark", 700);
await browser.close();
