// How fast the page without a server is, in headless Chromium: the figures of docs/site.md.
//
//   SITE=FOLDER FOREGONE=../../../../target/dist/foregone npm run speed
//
// FOLDER is what `foregone site` has written, FOREGONE the program to compare with, of the same sources.

import { execFileSync } from "node:child_process";
import { compressing, launchChromium, serveFolder } from "./start.mjs";

const games = [
  ["fox-and-hounds", "strong"],
  ["connect-four(columns=6,rows=5)", "search"],
  ["kalah(pits=5,stones=4)", "search"],
];
const runs = 3;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const server = await serveFolder(process.env.SITE, compressing);
const browser = await launchChromium();

// The seconds that the page says a position took, on a first visit: one thread.
const onPage = async (game) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.address}/play.html?game=${game}&second=human&hints=on`);
  const took = page.getByText(/positions in [\d.]+ s/);
  await took.waitFor({ timeout: 60_000 });
  const text = await took.innerText();
  await context.close();
  return Number(/in ([\d.]+) s/.exec(text)[1]);
};

// The same question: the page has 8 s, too.
const byProgram = (game) => {
  const answer = execFileSync(process.env.FOREGONE, ["solve", game, "--threads", "1", "--time", "8s", "--json"]);
  return JSON.parse(answer).seconds;
};

for (const [game, method] of games) {
  const pages = [];
  const programs = [];
  for (let run = 0; run < runs; run++) {
    pages.push(await onPage(game));
    programs.push(byProgram(game));
  }
  const [page, program] = [median(pages), median(programs)];
  const part = Math.round((100 * program) / page);
  console.log(`${game} (${method}): page ${page} s, program ${program.toFixed(2)} s, ${part} %`);
}

// Notes when a frame with this has been drawn: a driver would look later.
const watch = (selector) => {
  const look = () => {
    if (!document.querySelector(selector)) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => (window.drawn = performance.now())));
  };
  requestAnimationFrame(look);
};

// The seconds from an address to what is shown there, from an empty cache.
const shown = async (path, what, phone) => {
  const context = await browser.newContext(phone ? { viewport: { width: 390, height: 844 } } : {});
  const page = await context.newPage();
  if (phone) {
    const session = await context.newCDPSession(page);
    const speed = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", speed);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  }
  if (typeof what === "string") await page.addInitScript(watch, what);
  const begun = performance.now();
  await page.goto(server.address + path, { waitUntil: "commit" });
  if (typeof what === "string") await page.waitForFunction(() => window.drawn);
  else await what(page);
  const drawn = typeof what === "string" ? await page.evaluate(() => window.drawn) : performance.now() - begun;
  await context.close();
  return drawn / 1000;
};

const board = "svg.board";
const places = {
  "list of games": ["/", "main .game"],
  "tic-tac-toe": ["/play.html?game=tic-tac-toe", board],
  "connect-four": ["/play.html?game=connect-four", board],
  "kalah": ["/play.html?game=kalah", board],
  "answer at tic-tac-toe": ["/play.html?game=tic-tac-toe&moves=5&second=perfect", (page) => page.waitForURL(/moves=5(,|%2C)/)],
};
for (const phone of [false, true]) {
  for (const [name, [path, what]] of Object.entries(places)) {
    const seconds = [];
    for (let run = 0; run < runs; run++) seconds.push(await shown(path, what, phone));
    console.log(`${phone ? "slow phone" : "this machine"}, ${name}: ${median(seconds).toFixed(2)} s`);
  }
}

// The seconds from a move to the values of all moves after it, along random games in one visit.
const along = async (game, count) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const waits = [];
  for (let number = 0; number < count; number++) {
    await page.goto(`${server.address}/play.html?game=${game}&second=human&hints=on`);
    await page.waitForSelector("section.value table");
    for (;;) {
      const moves = page.locator("ul.moves a");
      const legal = await moves.count();
      if (!legal) break;
      // A small generator, so that the games are those of every run.
      const at = ((number + 1) * 7919 + waits.length * 104729) % legal;
      const before = await page.locator("ol.record li").count();
      const begun = performance.now();
      await moves.nth(at).evaluate((link) => link.click());
      await page.waitForFunction(
        (plies) => document.querySelectorAll("ol.record li").length > plies && !document.querySelector("#waiting"),
        before,
        { polling: 5, timeout: 60_000 },
      );
      waits.push((performance.now() - begun) / 1000);
    }
  }
  await context.close();
  return waits.sort((a, b) => a - b);
};
const waits = await along("connect-four", 10);
const part = (share) => waits[Math.floor(share * (waits.length - 1))].toFixed(2);
console.log(`connect-four, all moves of ${waits.length} positions: median ${part(0.5)} s, 95 % ${part(0.95)} s, longest ${part(1)} s`);
await browser.close();
server.kill();
