// The page as a person meets it, in headless Chromium, or with BROWSER=firefox in Firefox (by WebDriver BiDi). Run with
// `npm test` here. With the variable SITE, which names a folder that `foregone site` has written, the same tests are of the
// edition without a server.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launchChromium, launchFirefox, parts, serve, serveFolder } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const site = process.env.SITE;
// Driven by WebDriver BiDi, it neither saves files for a test nor is told that motion is not wanted.
const gecko = process.env.BROWSER === "firefox";

let server;
let browser;
let address;

before(async () => {
  server = await (site ? serveFolder(site) : serve());
  address = server.address;
  browser = await (gecko ? launchFirefox() : launchChromium());
});

after(async () => {
  await browser?.close();
  server?.kill();
});

// A page at an address; anything that goes wrong in it fails the test.
const visit = async (path, options = {}, at = address) => {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.wrong = [];
  page.on("pageerror", (error) => page.wrong.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") page.wrong.push(message.text());
  });
  await page.goto(at + path);
  if (options.javaScriptEnabled !== false) await page.waitForSelector("header nav");
  return page;
};

const done = async (page) => {
  assert.deepEqual(page.wrong, []);
  await page.context().close();
};

const status = (page) => page.locator("#status").innerText();
const settled = (page) => page.waitForFunction(() => !document.getElementById("waiting"));

// Does something that leads to another address, and waits until it is shown.
const step = async (page, act) => {
  const before = page.url();
  await act();
  await page.waitForFunction((before) => location.href !== before, before);
  await settled(page);
};

test("games are in groups and found by words", async () => {
  const page = await visit("/");
  assert.ok((await page.locator("#games h2").count()) >= 8);
  assert.ok((await page.locator(".game").count()) >= 40, "the texts are among them");
  await page.fill("#find", "sow  PIT");
  const one = () => page.waitForFunction(() => document.querySelectorAll("#games h2").length === 1);
  await one();
  const names = await page.locator(".game h3").allInnerTexts();
  assert.ok(names.includes("Kalah") && names.includes("Ohvalhu") && !names.includes("Hex"), names.join());
  assert.match(page.url(), /find=sow/);
  await page.reload();
  // The address keeps the search.
  await one();
  await page.fill("#find", "xyzzy");
  await page.waitForSelector("#games [role=status]");
  await done(page);
});

test("who plays is chosen above the board", async () => {
  const page = await visit("/");
  await page.click(".start a[href*='connect-four']");
  await page.waitForSelector("#players");
  const opponent = page.locator("#players select");
  assert.equal(await opponent.inputValue(), "medium");
  await step(page, () => opponent.selectOption("easy"));
  assert.match(page.url(), /second=easy/);
  // An answer within a second or so, and the opponent stays.
  await step(page, () => page.click("#place-3"));
  assert.equal(await page.locator(".record li").count(), 2);
  assert.equal(await opponent.inputValue(), "easy");
  // The other side: the computer moves.
  await step(page, () => page.click("#swap"));
  assert.match(page.url(), /first=easy/);
  await page.waitForFunction(() => document.querySelectorAll(".record li").length === 3);
  // Two people need no sides.
  await step(page, () => opponent.selectOption("human"));
  assert.equal(await page.locator("#swap").count(), 0);
  await done(page);
});

test("the one who can win is the person", async () => {
  const page = await visit("/");
  await page.click(".start a[href*='fox-and-hounds']");
  await page.waitForFunction(() => document.querySelectorAll(".record li").length === 1);
  assert.match(await page.locator("#players").innerText(), /Hounds:\s*you/);
  await done(page);
});

test("the board stands still while one plays and the computer thinks", async () => {
  for (const game of ["connect-four", "kalah(pits=6,stones=4)", "reversi", "hex(size=7)"]) {
    const page = await visit(`/play.html?game=${game}`, { viewport: { width: 1280, height: 900 } });
    await page.waitForSelector(".board");
    await settled(page);
    await page.evaluate(() => {
      window.tops = new Set();
      const look = () => {
        const board = document.querySelector(".board");
        if (board) window.tops.add(Math.round(board.getBoundingClientRect().top));
        requestAnimationFrame(look);
      };
      look();
    });
    // Neither does it when hints come.
    await step(page, () => page.keyboard.press("h"));
    for (let move = 0; move < 2; move += 1) {
      const before = page.url();
      await page.locator(".board a.place .touch").first().click();
      await page.waitForFunction((before) => location.href !== before, before);
      await page.waitForTimeout(600);
      // In one step: between a look and a click, the search may end.
      await page.evaluate(() => document.querySelector("#stop")?.click());
      await settled(page);
    }
    assert.equal(await page.evaluate(() => window.tops.size), 1, `${game}: ${await page.evaluate(() => [...window.tops].join())}`);
    await done(page);
  }
});

test("a puzzle is solved or tried again, and days in a row are counted", async () => {
  const page = await visit("/");
  await page.click("#today");
  await page.waitForSelector("#next-puzzle");
  assert.match(page.url(), /lesson=puzzle&step=\d+/);
  await page.goto(`${address}/learn.html?lesson=puzzle&step=2`);
  await step(page, () => page.click("#place-0 .touch"));
  assert.match(await page.locator("#wrong").innerText(), /Not this one/);
  await step(page, () => page.click("#again"));
  // The second puzzle counts as today's.
  await page.evaluate(() => sessionStorage.setItem("foregone-today", "2"));
  await step(page, () => page.click("#place-2 .touch"));
  assert.match(await page.locator("#solved").innerText(), /Right/);
  await page.waitForFunction(() => document.getElementById("streak")?.textContent.endsWith(": 1"));
  await step(page, () => page.click("#next-puzzle"));
  assert.match(page.url(), /step=3/);
  await done(page);
});

test("a mistake can be tried again from where it was made", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&second=human&hints=on&moves=1,2,5,3&review=on");
  await page.waitForFunction(() => document.querySelectorAll(".retry").length === 2);
  await step(page, () => page.locator(".retry").first().click());
  assert.equal(await page.locator(".record li").count(), 1);
  await done(page);
});

test("rules are open at the first visit alone", async () => {
  const page = await visit("/play.html?game=kalah");
  const open = () => page.locator("#about").evaluate((rules) => rules.open);
  assert.equal(await open(), true);
  await page.reload();
  await page.waitForSelector("#about");
  assert.equal(await open(), false);
  await page.goto(`${address}/play.html?game=awari`);
  await page.waitForSelector("#about");
  assert.equal(await open(), true, "another game's rules");
  await done(page);
});

test("stones are sown one by one, unless the reader wants no motion", async () => {
  const moved = async (reducedMotion) => {
    const page = await visit("/play.html?game=kalah&second=human", { reducedMotion });
    await page.evaluate(() => {
      window.boards = new Set();
      new MutationObserver(() => {
        const counts = [...document.querySelectorAll(".board > g text")].map((each) => each.textContent);
        window.boards.add(counts.join(" "));
      }).observe(document.body, { childList: true, subtree: true });
    });
    await step(page, () => page.click("#place-2 .touch"));
    await page.waitForFunction(() => !document.querySelector(".moving"));
    // What is shown in the end is the page's own board.
    assert.match(await page.locator("#place-6").getAttribute("aria-label"), /4|5/);
    const boards = await page.evaluate(() => window.boards.size);
    await done(page);
    return boards;
  };
  if (!gecko) assert.equal(await moved("reduce"), 1);
  // Before the move, four stones, and after it, which is the board with the last stone.
  assert.ok((await moved("no-preference")) >= 5);
});

test("games are kept with notes, go into a file and come back, and boards are copied", { skip: gecko }, async () => {
  const page = await visit("/play.html?game=tic-tac-toe&second=human&moves=5,1", {
    permissions: ["clipboard-read", "clipboard-write"],
    acceptDownloads: true,
  });
  await page.click("text=Notes, saved games and copies");
  const clip = () => page.evaluate(() => navigator.clipboard.readText());
  await page.fill("#note", "a corner <b>against</b> the middle");
  await page.fill("#save-name", "first try");
  await page.click("#save button");
  await page.waitForSelector("#saved a");
  await page.click("#copy-moves");
  await page.waitForFunction(() => /Moves copied/.test(document.getElementById("study-told").innerText));
  assert.equal(await clip(), "5 1");
  await page.click("#copy-svg");
  await page.waitForFunction(() => /SVG copied/.test(document.getElementById("study-told").innerText));
  assert.match(await clip(), /^<svg .*fill: rgb/s);
  await page.click("#copy-image");
  await page.waitForFunction(() => /Picture copied/.test(document.getElementById("study-told").innerText));
  const kinds = () => page.evaluate(async () => (await navigator.clipboard.read()).flatMap((item) => item.types));
  assert.deepEqual(await kinds(), ["image/png"]);
  const saving = async (button) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    return readFileSync(await file.path());
  };
  assert.deepEqual([...(await saving("#save-image")).subarray(1, 4)], [...Buffer.from("PNG")]);
  const file = await saving("#export");
  assert.equal(JSON.parse(file).games[0].notes[2], "a corner <b>against</b> the middle");
  // A move later the note is another one; back again it is there.
  await step(page, () => page.click("#place-8"));
  assert.equal(await page.inputValue("#note"), "");
  await step(page, () => page.click("#undo"));
  assert.match(await page.inputValue("#note"), /^a corner/);
  // Another browser reads the file, and refuses others.
  const other = await visit("/play.html?game=nim&second=human");
  await other.click("text=Notes, saved games and copies");
  const bring = (buffer) => other.setInputFiles("#import", { name: "games.json", mimeType: "application/json", buffer });
  for (const odd of ["", "{}", '{"games": [{"name": "x", "address": "javascript:alert(1)"}]}', "x".repeat(2 << 20)]) {
    await other.evaluate(() => (document.getElementById("study-told").textContent = ""));
    await bring(Buffer.from(odd));
    await other.waitForFunction(() => /cannot be read/.test(document.getElementById("study-told").innerText));
  }
  await bring(file);
  await other.waitForSelector("#saved a");
  await step(other, () => other.click("#saved a"));
  assert.equal(await other.locator(".record li").count(), 2);
  assert.match(await other.inputValue("#note"), /^a corner/);
  await other.goto(address + "/");
  await other.waitForSelector("#kept a");
  await other.click("#kept .drop");
  assert.equal(await other.locator("#kept").isVisible(), false);
  await done(page);
  await done(other);
});

test("games are removed by their names, and none is lost for want of room", { skip: gecko }, async () => {
  const page = await visit("/play.html?game=nim&second=human");
  await page.click("text=Notes, saved games and copies");
  const save = async (tab, name) => {
    await tab.fill("#save-name", name);
    await tab.click("#save button");
  };
  await save(page, "mine");
  await page.waitForSelector("#saved a");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.click("text=Notes, saved games and copies");
  await save(other, "two");
  // The list of the first tab follows.
  await page.waitForFunction(() => document.querySelectorAll("#saved a").length === 2);
  await page.click('#saved .drop[data-name="mine"]');
  await other.waitForFunction(() => [...document.querySelectorAll("#saved a")].map((each) => each.innerText).join() === "two");
  const games = Array.from({ length: 200 }, (_, at) => ({ name: `game ${at}`, address: "play.html?game=nim" }));
  const buffer = Buffer.from(JSON.stringify({ games }));
  await page.setInputFiles("#import", { name: "games.json", mimeType: "application/json", buffer });
  await page.waitForFunction(() => /there is room for 199/.test(document.getElementById("study-told").innerText));
  assert.equal(await page.locator("#saved a").innerText(), "two");
  await other.close();
  await done(page);
});

test("what was kept under older names is still there", { skip: gecko }, async () => {
  const page = await visit("/play.html?game=nim&second=human");
  await page.evaluate(() => {
    localStorage.setItem("games", JSON.stringify([{ name: "old one", address: "play.html?game=nim" }]));
    localStorage.setItem('note ["nim","",[]]', JSON.stringify("an old note"));
  });
  await page.reload();
  await page.click("text=Notes, saved games and copies");
  await page.waitForSelector("#saved a");
  assert.equal(await page.locator("#saved a").innerText(), "old one");
  const keys = await page.evaluate(() => Object.keys(localStorage).filter((key) => /games|note/.test(key)).sort());
  assert.deepEqual(keys, ["foregone games", 'foregone note ["nim","",[]]']);
  await done(page);
});

test("an answer without what was asked for changes nothing", { skip: gecko || !!site }, async () => {
  const page = await visit("/rules.html?game=hexapawn");
  const failing = (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" });
  await page.route("**/rules.html?**", failing);
  await page.locator("#text").press("End");
  await page.locator("#text").pressSequentially(" ");
  await page.waitForFunction(() => /No answer came/.test(document.getElementById("failed")?.innerText ?? ""));
  assert.ok(await page.locator("#preview").count());
  assert.match(await page.inputValue("#text"), /hexapawn/i);
  await page.unroute("**/rules.html?**", failing);
  await page.locator("#text").pressSequentially(" ");
  await page.waitForFunction(() => document.getElementById("failed").hidden);
  assert.ok(await page.locator("#preview").count());
  page.wrong.length = 0;
  await done(page);
});

test("a game is shown board by board", async () => {
  const page = await visit("/strip.html?game=quantum-tic-tac-toe&moves=1-2,1-2,@1");
  assert.ok((await page.locator(".strip li").count()) >= 5, "a collapse has steps");
  await done(page);
});

// The lessons, as a reader goes through them.
const lesson = async (name) => {
  const page = await visit(`/learn.html?lesson=${name}`);
  assert.equal(await page.locator("#learned").count(), 0);
  return page;
};
const learned = async (page) => {
  await page.waitForSelector("#learned");
  await done(page);
};

// Goes to a link by the tabulator alone, and follows it.
const byKeys = async (page, link) => {
  const there = () => page.evaluate((link) => document.activeElement.matches(link), link);
  for (let tabs = 0; !(await there()); tabs += 1) {
    assert.ok(tabs < 100, `${link} cannot be reached by keys`);
    await page.keyboard.press("Tab");
  }
  await step(page, () => page.keyboard.press("Enter"));
  // The focus is kept.
  await page.waitForFunction(() => document.activeElement !== document.body);
};

test("lesson: a game is a tree", async () => {
  const page = await visit("/learn.html");
  assert.equal(await page.locator(".lessons li").count(), 8);
  await step(page, () => page.locator(".lessons a").first().click());
  // All ways through the tree, found on the board.
  const walk = async () => {
    const moves = await page.locator(".board a.place").evaluateAll((all) => all.map((each) => each.id));
    for (const move of moves) {
      await step(page, () => page.click(`#${move}`));
      await walk();
      if (await page.locator("#learned").count()) return;
      await step(page, () => page.click("#back"));
    }
  };
  await walk();
  await learned(page);
});

test("lesson: minimax", async () => {
  const page = await lesson("minimax");
  let wrong = 0;
  while ((await page.locator("#learned").count()) === 0) {
    const moves = await page.locator(".board a.place").evaluateAll((all) => all.map((each) => each.id));
    for (const move of moves) {
      await step(page, () => page.click(`#${move}`));
      if ((await page.locator("#wrong").count()) === 0) break;
      wrong += 1;
    }
  }
  assert.ok(wrong > 0, "a wrong move is refused");
  await learned(page);
});

test("lesson: alpha-beta", async () => {
  const page = await lesson("alpha-beta");
  await byKeys(page, ".trying .board a.place");
  assert.match(await page.locator("#tried").innerText(), /is worth .* has not looked at it so far/);
  let cuts = 0;
  while (await page.locator("a#step-on").count()) {
    assert.equal(await page.locator(".node.here").count(), 1);
    cuts += await page.locator("#cut").count();
    await byKeys(page, "#step-on");
  }
  assert.ok(cuts >= 1);
  assert.ok((await page.locator(".node.cut").count()) >= 1, "what is left out is marked");
  await learned(page);
});

test("lesson: remember positions", async () => {
  const page = await lesson("memory");
  for (const square of [0, 4, 8]) await byKeys(page, `#place-${square}`);
  assert.match(await page.locator(".lesson").innerText(), /2 orders of moves/);
  await byKeys(page, "#keep");
  for (const square of [8, 4, 0]) await byKeys(page, `#place-${square}`);
  await learned(page);
});

test("lesson: backwards", async () => {
  const page = await lesson("backwards");
  await byKeys(page, "#spot-5");
  await byKeys(page, ".board a.place");
  if (/pick=/.test(page.url())) await byKeys(page, ".board a.next");
  assert.match(page.url(), /moves=/);
  while (await page.locator("a#step-on").count()) await byKeys(page, "#step-on");
  assert.ok((await page.locator(".chip.win").count()) > 0);
  await learned(page);
});

test("lesson: random games mislead", async () => {
  const page = await lesson("chance");
  for (let more = 0; more < 4; more += 1) await byKeys(page, "a#more");
  // The centre has the best share, but a corner wins.
  await byKeys(page, "#place-4");
  assert.match(await page.locator("#wrong").innerText(), /best share/);
  await byKeys(page, "#place-6");
  assert.match(await page.locator("#right").innerText(), /7 wins/);
  await learned(page);
});

test("lesson: proof numbers", async () => {
  const page = await lesson("numbers");
  await byKeys(page, "#begin");
  let wrong = 0;
  for (let rounds = 0; rounds < 20 && (await page.locator("#learned").count()) === 0; rounds += 1) {
    const moves = await page.locator(".board a.place").evaluateAll((all) => all.map((each) => each.id));
    for (const move of moves) {
      await step(page, () => page.click(`#${move}`));
      if ((await page.locator("#wrong").count()) === 0) break;
      wrong += 1;
    }
  }
  assert.ok(wrong > 0, "a larger number is refused");
  assert.match(await status(page), /does not lose/);
  await learned(page);
});

test("lesson: a proof cannot be beaten", async () => {
  const page = await lesson("proof");
  for (let moves = 0; moves < 60 && (await page.locator("#learned").count()) === 0; moves += 1) {
    await step(page, () => page.locator(".board a.place").first().click());
    const next = page.locator(".board a.next");
    if (await next.count()) await step(page, () => next.first().click());
  }
  assert.match(await status(page), /Hounds win/);
  await learned(page);
});

test("tic-tac-toe by mouse cannot be won against the perfect player", async () => {
  const page = await visit("/");
  await page.click("text=Tic-tac-toe >> nth=0");
  await page.waitForSelector("#place-0");
  assert.match(await status(page), /X to move/);
  for (const round of [1, 2, 3, 4, 5]) {
    const open = page.locator(".board a.place");
    assert.equal(await page.locator(".record li").count(), 2 * (round - 1));
    await step(page, () => open.first().click());
    if (/wins|Draw/.test(await status(page))) break;
  }
  assert.match(await status(page), /^(O wins: you lost|Draw)\s+Find the mistakes$/);
  assert.equal(await page.locator(".board a.place").count(), 0, "nothing is left to play");
  await step(page, () => page.click("#mistakes"));
  assert.match(page.url(), /review=on/);
  assert.equal(await page.locator("#mistakes").count(), 0);
  await done(page);
});

test("a quantum game goes through a collapse", async () => {
  const page = await visit("/play.html?game=quantum-tic-tac-toe&second=human");
  const pick = (square) => step(page, () => page.click(`#place-${square - 1}`));
  await pick(1);
  assert.match(await status(page), /choose where/);
  assert.equal(await page.locator(".picked").count(), 1);
  await pick(9);
  await pick(9);
  await pick(1);
  assert.match(await status(page), /X to move/);
  const choices = page.locator(".outlook a");
  assert.equal(await choices.count(), 2, "a collapse is a choice of two pictures");
  assert.equal(await page.locator(".board .s-mark").count() > 0, true, "the cycle is drawn");
  await step(page, () => choices.first().click());
  assert.equal(await choices.count(), 0);
  const first = await page.locator("#place-0").getAttribute("aria-label");
  assert.match(first, /1, [XO][12]$/, "a classical mark");
  await done(page);
});

test("kalah: an extra turn, and where the last stone falls", async () => {
  const page = await visit("/play.html?game=kalah&second=human");
  await page.hover("#place-2 .touch");
  const lands = page.locator("#place-2 .lands");
  assert.equal(await lands.count(), 1, "the third pit's last stone falls into the store");
  await step(page, () => page.click("#place-2 .touch"));
  assert.match(await status(page), /First player to move/, "an extra turn");
  assert.match(await page.locator("#place-12").getAttribute("aria-label"), /store of first: 1/);
  await step(page, () => page.click("#place-0 .touch"));
  assert.match(await status(page), /Second player to move/);
  await done(page);
});

test("the computer's extra turns are all made", async () => {
  const page = await visit("/play.html?game=kalah(pits=3,stones=3)&second=first&moves=1");
  await settled(page);
  assert.match(await status(page), /First player to move|wins|Draw/);
  await done(page);
});

test("hints stay on, undo takes both moves back, a reload brings all of it back", async () => {
  const page = await visit("/play.html?game=tic-tac-toe");
  await step(page, () => page.click("#hints"));
  assert.equal(await page.locator(".badge").count(), 9);
  assert.match(await page.locator(".headline").innerText(), /Draw in 9 moves/);
  await step(page, () => page.click("#place-0"));
  assert.equal(await page.locator(".record li").count(), 2);
  assert.equal(await page.locator(".badge").count(), 7);
  assert.equal(await page.locator(".chart circle").count(), 3);
  const [address, record] = [page.url(), await page.locator(".record").innerText()];
  await page.reload();
  assert.equal(page.url(), address);
  // The values come from a worker.
  await page.waitForFunction((record) => document.querySelector(".record")?.innerText === record, record);
  assert.equal(await page.locator(".badge").count(), 7);
  await step(page, () => page.click("#undo"));
  assert.equal(await page.locator(".record li").count(), 0);
  await page.goBack();
  await page.waitForSelector(".record li");
  assert.equal(await page.locator(".record li").count(), 2, "the browser's way back works");
  await done(page);
});

test("mistakes are marked, and one can look back and branch", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&second=human&hints=on&moves=1,2,5,3&review=on");
  // On a busy machine not all values are there at once.
  await page.waitForFunction(() => document.querySelectorAll(".slip").length === 2);
  const slips = await page.locator(".slip").allInnerTexts();
  assert.match(slips[0], /\?\? throws the draw away/);
  await step(page, () => page.locator(".record li button").nth(0).click());
  assert.equal(await page.locator(".record li.now b").innerText(), "1");
  assert.match(await status(page), /O to move/);
  await step(page, () => page.click("#place-4"));
  assert.equal(await page.locator(".record li").count(), 2, "what came after is forgotten");
  await done(page);
});

test("keys alone are enough", async () => {
  const page = await visit("/play.html?game=tic-tac-toe");
  const focus = () => page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("ArrowRight");
  assert.equal(await focus(), "place-0");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focus(), "place-4");
  await step(page, () => page.keyboard.press("Enter"));
  assert.equal(await page.locator(".record li").count(), 2);
  assert.equal(await focus(), "place-4", "the focus stays where it was");
  await step(page, () => page.keyboard.press("h"));
  assert.equal(await page.locator(".badge").count(), 7);
  await step(page, () => page.keyboard.press("u"));
  assert.equal(await page.locator(".record li").count(), 0);
  await step(page, () => page.click("#place-0"));
  await step(page, () => page.keyboard.press("n"));
  assert.equal(await page.locator(".record li").count(), 0);
  await step(page, () => page.click("#place-8"));
  await step(page, () => page.keyboard.press("F2"));
  assert.equal(await page.locator(".record li").count(), 0);
  // In a field, letters are letters.
  await page.fill("#field-mv", "");
  await page.focus("#field-mv");
  await page.keyboard.type("nuh");
  assert.equal(await page.inputValue("#field-mv"), "nuh");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#mv-problem");
  assert.match(await page.locator("#mv-problem").innerText(), /Found nuh, expected a legal move/);
  await done(page);
});

test("moves of the same clicks are chosen by the boards that they lead to", async () => {
  const page = await visit("/play.html?game=order-and-chaos(size=3)&second=human");
  await step(page, () => page.click("#place-4"));
  assert.match(await status(page), /choose a move below/);
  assert.equal(await page.locator("#choices").count(), 0, "the list is open");
  const list = page.locator("div.choices .outlook a");
  assert.deepEqual(await list.locator("span").allInnerTexts(), ["cross-b2", "nought-b2"]);
  assert.equal(await list.locator("svg").count(), 2);
  await step(page, () => list.last().click());
  assert.equal(await page.locator(".record li").count(), 1);
  await done(page);
});

test("a position that comes again is told", async () => {
  const page = await visit("/play.html?game=pong-hau-ki&second=human&moves=d-c,a-d,c-a,d-c,a-d");
  assert.doesNotMatch(await page.locator(".note").innerText(), /before/);
  await step(page, () => page.click("#place-2"));
  await step(page, () => page.click("#place-0"));
  assert.match(await page.locator(".note").innerText(), /This position was on the board before, at the start/);
  await done(page);
});

test("light and dark can be chosen, and stay", async () => {
  const page = await visit("/play.html?game=tic-tac-toe", { colorScheme: "light" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click("#theme");
  assert.notEqual(await paper(), light);
  await page.reload();
  await page.waitForSelector(".board");
  assert.notEqual(await paper(), light);
  await page.click("#theme");
  assert.equal(await paper(), light);
  await done(page);
});

test("the list of moves shows the move of the board", async () => {
  const moves = "4,4,4,4,4,4,3,3,3,3,3,3,5,5,5,5,5,5,1,2";
  const page = await visit(`/play.html?game=connect-four&second=human&moves=${moves}`);
  const seen = () =>
    page.evaluate(() => {
      const [list, now] = [".record", ".record .now"].map((each) => document.querySelector(each).getBoundingClientRect());
      return now.top >= list.top && now.bottom <= list.bottom + 1;
    });
  assert.ok(await seen());
  await step(page, () => page.click("#to-start"));
  await step(page, () => page.click("#forward"));
  assert.ok(await seen());
  await done(page);
});

test("games are found by their other names, and an answer that does not come is told", async () => {
  const page = await visit("/");
  await page.fill("#find", "mancala");
  await page.waitForFunction(() => document.querySelectorAll("#games .game").length < 8);
  assert.match(await page.locator("#games").innerText(), /Awari/);
  if (!site) {
    await page.route("**/learn.html*", (route) => route.abort());
    await page.click("text=Learn");
    await page.waitForSelector("#failed >> text=No answer came");
    page.wrong = [];
  }
  await done(page);
});

test("a position is typed, and what is wrong with it is said beside the field", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&second=human");
  await page.click("text=Set up a position, or play");
  await page.fill("#field-set", "XXX/...");
  await step(page, () => page.press("#field-set", "Enter"));
  assert.match(await page.locator("#set-problem").innerText(), /Found XXX\/\.\.\., expected/);
  assert.equal(await page.inputValue("#field-set"), "XXX/...", "what was typed is still there");
  await page.fill("#field-set", "OX./.O./.X. X");
  await step(page, () => page.press("#field-set", "Enter"));
  assert.match(await page.locator("#place-0").getAttribute("aria-label"), /1, O/);
  assert.equal(await page.locator("#texts").getAttribute("open"), "", "what was opened stays");
  await page.fill("#field-line", "9 3");
  await step(page, () => page.press("#field-line", "Enter"));
  assert.equal(await page.locator(".record li").count(), 2);
  const file = { name: "moves.txt", mimeType: "text/plain", buffer: Buffer.from("1. 9 3\n2. 7\n") };
  await step(page, () => page.setInputFiles("#import", file));
  assert.equal(await page.locator(".record li").count(), 3, "a file with a list of moves");
  await done(page);
});

test("the order of clicks tells moves apart, and Escape begins anew", async () => {
  const page = await visit("/play.html?game=amazons&second=human");
  await step(page, () => page.click("#place-11"));
  assert.match(await status(page), /choose where/);
  await step(page, () => page.keyboard.press("Escape"));
  assert.doesNotMatch(await status(page), /choose where/);
  // Where a piece goes can be chosen first.
  await step(page, () => page.click("#place-1"));
  assert.match(await status(page), /choose from where/);
  await step(page, () => page.keyboard.press("Escape"));
  // d2 goes to b4 and shoots at a4; then d4 goes to c4 and shoots back at d4.
  for (const place of [11, 1, 0, 3, 2, 3]) await step(page, () => page.click(`#place-${place}`));
  assert.deepEqual(await page.locator(".record li").allInnerTexts(), ["First player d2-b4-a4", "Second player d4-c4-d4"]);
  await done(page);
  const other = await visit("/play.html?game=l-game&second=human");
  for (const place of [4, 12, 5]) await step(other, () => other.click(`#place-${place}`));
  // The move may end here or go on.
  assert.match(await other.locator(".moves").innerText(), /a3-a1-b3-keep/);
  for (const place of [0, 7]) await step(other, () => other.click(`#place-${place}`));
  assert.deepEqual(await other.locator(".record li").allInnerTexts(), ["First player a3-a1-b3-shift-a4-d3"]);
  await done(other);
});

test("a form begins a game with other rules and players", async () => {
  const page = await visit("/play.html?game=kalah");
  await page.click("text=Players and rules of the game");
  await page.fill("[name='p.pits']", "2");
  await page.fill("[name='p.stones']", "2");
  await page.selectOption("#set-first", "random");
  await page.selectOption("#set-second", "human");
  await page.check("[name='hints']");
  await step(page, () => page.click("text=Begin"));
  assert.match(await page.locator("h1").innerText(), /pits 2, stones 2/);
  assert.match(await status(page), /Second player to move|wins|Draw/);
  await settled(page);
  assert.equal((await page.locator(".record li").count()) > 0, true, "the computer began");
  await done(page);
});

test("what is being typed or has been opened stays when an answer comes", async () => {
  const page = await visit("/play.html?game=kalah(pits=6,stones=5)&second=human&hints=on");
  await page.click("text=How it is played");
  await page.click("text=Set up a position, or play");
  await page.fill("#field-mv", "3x");
  await page.waitForSelector(".headline");
  assert.equal(await page.inputValue("#field-mv"), "3x");
  assert.equal(await page.locator("#about").getAttribute("open"), null, "it was open at first");
  assert.equal(await page.locator("#texts").getAttribute("open"), "");
  await done(page);
});

test("what is opened or typed while an answer is being put in place stays", async () => {
  const page = await visit("/play.html?game=tic-tac-toe");
  const [open, typed] = await page.evaluate(() => {
    document.dispatchEvent(new CustomEvent("htmx:before:swap"));
    document.getElementById("texts").open = true;
    document.getElementById("field-mv").value = "3x";
    document.dispatchEvent(new CustomEvent("htmx:after:swap"));
    return [document.getElementById("texts").open, document.getElementById("field-mv").value];
  });
  assert.equal(open, true, "it was opened between the two events");
  assert.equal(typed, "3x");
  await done(page);
});

test("a tab names itself in its questions, and no other tab by the same number", { skip: !!site }, async () => {
  const names = async () => {
    const page = await visit("/play.html?game=nim&second=human");
    const asked = page.waitForRequest((request) => request.headers()["foregone-tab"] !== undefined);
    await step(page, () => page.locator("#hints").click());
    const name = (await asked).headers()["foregone-tab"];
    await done(page);
    return name;
  };
  const [one, other] = [await names(), await names()];
  assert.match(one, /^[0-9]+$/);
  assert.notEqual(one, other);
});

test("what takes long says so and can be stopped", async () => {
  const page = await visit("/play.html?game=kalah(pits=6,stones=6)&first=deepening&second=human");
  assert.match(await status(page), /Thinking/);
  await page.click("#stop");
  await page.waitForSelector("text=Go on");
  assert.match(await status(page), /First player to move/);
  await page.click("text=Go on");
  await page.waitForSelector(".record li");
  await page.waitForFunction(() => /Second player to move/.test(document.getElementById("status").innerText));
  await done(page);
});

test("while a question is thought about, the page says how far it has come", async (test) => {
  // A server that others ask thinks for a share of its time, so that this one is asked by nobody else.
  const asked = site ? null : await serve("8s");
  test.after(() => asked?.kill());
  const page = await visit("/play.html?game=kalah(pits=6,stones=6)&second=human&hints=on", {}, asked?.address);
  await page.waitForSelector("#progress progress");
  await page.waitForFunction(() => /of at most \d+ s.*position/.test(document.getElementById("progress").innerText));
  await page.waitForSelector(".values");
  assert.equal(await page.locator("#progress").count(), 0, "it is over");
  await done(page);
});

test("a question is asked again when no answer came", { skip: site ? "there is no server" : false }, async () => {
  const page = await visit("/index.html");
  let lost = 0;
  await page.route(/wait=on/, (route) => (lost++ < 2 ? route.abort() : route.continue()));
  await page.goto(`${address}/play.html?game=kalah(pits=6,stones=6)&second=human&hints=on`);
  await page.waitForSelector(".headline", { timeout: 60_000 });
  assert.ok(lost > 2, `${lost}`);
  await page.close();
});

test("what cannot be proven in time is an opinion and says so", async () => {
  const page = await visit("/play.html?game=kalah(pits=6,stones=6)&second=human&hints=on");
  await page.waitForSelector(".headline");
  assert.match(await page.locator("section.value").innerText(), /Not proven: .*\n*Percentages come from random games/s);
  assert.equal(await page.locator(".badge.guess").count(), 6);
  await done(page);
});

const noTouch = gecko ? "driven by WebDriver BiDi, it has no touch" : false;
test("on a phone a game is played by touch, with the whole board on the first screen", { skip: noTouch }, async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const [game, tap] of [["tic-tac-toe", "#place-4"], ["kalah(pits=3,stones=2)", "#place-0 .touch"]]) {
    const page = await visit(`/play.html?game=${game}`, phone);
    const { y, height } = await page.locator(".board").first().boundingBox();
    assert.ok(y + height <= 844, `${game}: the board ends at ${y + height}`);
    await step(page, () => page.locator(tap).first().tap());
    await page.waitForFunction(() => document.querySelectorAll(".record li").length >= 2);
    await done(page);
  }
});

test("two computers play on while one watches", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&first=random&second=first");
  await page.waitForFunction(() => /wins|Draw/.test(document.getElementById("status").innerText));
  assert.equal((await page.locator(".record li").count()) >= 5, true);
  await done(page);
});

test("the best line can be looked at, move by move", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&hints=on");
  await step(page, () => page.locator(".line button").nth(3).click());
  assert.equal(await page.locator(".record li").count(), 4);
  assert.match(await status(page), /X to move/);
  await done(page);
});

test("a position is set up on the board, by clicks and by dragging", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&second=human");
  await page.click("#texts summary");
  await page.click("#setup");
  const until = (words) => page.waitForFunction((words) => document.getElementById("set-check")?.textContent.includes(words), words);
  await until("position of the game");
  await page.click("#tray [data-piece=O]");
  await page.click("#place-0");
  await until("expected");
  // What is wrong is not done, and stays.
  await page.click("#tray [data-done]");
  assert.equal(await page.inputValue("#field-set"), "O../.../... X");
  assert.equal(await page.locator("#tray [data-side=X]").getAttribute("aria-pressed"), "true");
  await page.click("#tray [data-piece=X]");
  await page.click("#place-4");
  await until("position of the game");
  assert.equal(await page.inputValue("#field-set"), "O../.X./... X");
  await page.locator("#place-0").dragTo(page.locator("#place-8"));
  await until("position of the game");
  assert.equal(await page.inputValue("#field-set"), ".../.X./..O X");
  await page.click("#tray [data-done]");
  await page.waitForURL(/position=/);
  await page.waitForSelector(".board");
  assert.match(await page.locator(".board").getAttribute("aria-label"), /\.\.\.\/\.X\.\/\.\.O X/);
  assert.equal(await page.locator("#tray button").count(), 0);
  // Kalah is not written in rows.
  await page.goto(page.url().replace(/game=.*/, "game=kalah"));
  await page.waitForSelector(".board");
  await page.click("#texts summary");
  assert.equal(await page.locator("#setup").isHidden(), true);
  await done(page);
});

test("a teacher makes a task, which says whether a move is right and shows nothing else", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&moves=1");
  await page.click("#class summary");
  await page.fill("#class input[name=ask]", "Which move saves O?");
  await page.click("text=Make a task");
  await page.waitForSelector("#task");
  assert.match(await page.locator("main").innerText(), /Which move saves O\?/);
  assert.equal(await page.locator("header nav a:visible, footer a:visible").count(), 0);
  assert.equal(new URL(page.url()).searchParams.get("answer"), null);
  await page.click("#place-1");
  await page.waitForSelector("#wrong");
  await page.click("#again");
  await page.waitForSelector("#place-4");
  await page.click("#place-4");
  await page.waitForSelector("#solved");
  await done(page);
});

test("the tree opens and shows what pruning leaves out", async () => {
  const page = await visit("/tree.html?game=tic-tac-toe&second=human&moves=2,1,5,4,6,8&show=pruned");
  // A busy machine leaves counts out.
  const counted = /Minimax looks at 14 nodes, alpha-beta at \d+/;
  for (let tries = 0; tries < 20; tries++) {
    if (counted.test(await page.locator("main").innerText())) break;
    await page.reload();
    await page.waitForSelector("header nav");
  }
  assert.match(await page.locator("main").innerText(), counted);
  // Every board says who wins; a click on one hides what follows, another shows it again.
  const boards = () => page.locator("#tree .node").count();
  assert.equal(await boards(), 14);
  assert.equal(await page.locator("#tree .below").count(), 14);
  assert.equal((await page.locator("#tree .node.cut").count()) > 0, true);
  for (const left of [1, 14]) {
    await page.locator("#tree .node > a").first().click({ position: { x: 30, y: 30 } });
    await page.waitForFunction((left) => document.querySelectorAll("#tree .node").length === left, left);
  }
  await page.locator("#tree .node > a").nth(2).click({ position: { x: 30, y: 30 } });
  await page.waitForFunction(() => document.querySelectorAll("#tree .node").length < 14);
  const width = () => page.locator("#tree > svg").getAttribute("width");
  const before = Number(await width());
  await page.click("text=+");
  assert.equal(Number(await width()) > before, true);
  await page.click("text=Back to the board");
  await page.waitForSelector(".board");
  assert.match(page.url(), /moves=2%2C1%2C5%2C4%2C6%2C8/);
  await done(page);
});

test("what a game is like is a page of a server", { skip: site && "a folder has no reports" }, async () => {
  const page = await visit("/play.html?game=hexapawn");
  await page.click("text=What this game is like");
  await page.waitForSelector(".report");
  const text = await page.locator(".report").innerText();
  assert.match(text, /Who wins/);
  assert.match(text, /Second player wins, after 6/);
  assert.ok(await page.locator(".report figure rect").count() > 10, "charts");
  assert.ok(await page.locator(".report .still").count() > 1, "the start and puzzles");
  await page.click("text=To the board");
  await page.waitForSelector(".board");
  await done(page);
});

test("a projector shows the board larger than the page does", async () => {
  const page = await visit("/play.html?game=tic-tac-toe&second=human");
  await page.setViewportSize({ width: 1280, height: 720 });
  const height = () => page.evaluate(() => document.querySelector(".board").clientHeight);
  const before = await height();
  await page.click("#class summary");
  await page.click("#projector");
  await page.waitForSelector("body.projected");
  assert.ok(await height() > 1.15 * before, `${before} to ${await height()}`);
  const fits = () => page.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 2);
  assert.ok(await fits(), "without scrolling");
  await page.keyboard.press("Escape");
  await page.waitForSelector("body:not(.projected)");
  await done(page);
});

test("rules are coloured, and the word at the cursor is explained", async () => {
  const page = await visit("/rules.html?game=hexapawn");
  await page.waitForSelector(".sheet.coloured");
  const paper = () => page.locator(".sheet pre").innerText();
  assert.equal((await paper()).trim(), (await page.inputValue("#text")).trim());
  for (const [word, scope] of [["choose", "keyword"], ["mine", "constant"], ["row", "support"], ["about", "keyword"]])
    assert.ok(await page.locator(`.sheet .is-${scope}`, { hasText: new RegExp(`^${word}$`) }).count(), word);
  // Lines are as long below as above, so that each letter lies over its own.
  const [above, below] = await page.evaluate(() =>
    ["textarea", "pre"].map((name) => document.querySelector(`.sheet ${name}`).clientWidth));
  assert.equal(above, below);
  // Each line has its number, wherever it wraps.
  assert.equal(await page.locator(".sheet .row").count(), (await page.inputValue("#text")).split("\n").length);
  // A click puts the cursor there.
  await page.locator("#text").click({ position: { x: 120, y: 30 } });
  assert.equal(await page.evaluate(() => document.activeElement.id), "text");
  await page.fill("#text", "game Rays\nboard 3 3\nmove\n  choose at in ray(a1, empty)\n  pass\n# choose\n");
  const at = (word, nth = 0) => page.evaluate(([word, nth]) => {
    const field = document.getElementById("text");
    field.focus();
    let place = field.value.indexOf(word);
    while (nth--) place = field.value.indexOf(word, place + 1);
    field.setSelectionRange(place + 1, place + 1);
  }, [word, nth]);
  const help = async (pattern) => {
    await page.waitForFunction(([source]) => new RegExp(source).test(document.getElementById("help").innerText), [pattern]);
  };
  await at("ray");
  await help("^ray\\(S, T\\): the cells of T in straight lines.*\\nExample: ray\\(b3, empty\\) ");
  await at("board");
  await help("^board 5 4: the board.*\\nExample: board");
  await at("choose", 1);
  await help("^Put the cursor on a word");
  assert.equal((await paper()).trim(), (await page.inputValue("#text")).trim());
  await done(page);
});

test("a game of one's own is checked as it is typed, and played", async () => {
  const page = await visit("/rules.html?game=hexapawn");
  const text = await page.inputValue("#text");
  await page.fill("#text", text.replace("stuck loses", "stuck looses"));
  await page.waitForSelector(".problems li");
  assert.match(await page.locator(".problems").innerText(), /Line \d+: .*did you mean `loses`/);
  await page.fill("#text", text.replace("columns = 3", "columns = 4"));
  await page.waitForSelector("#preview svg");
  assert.match(await page.locator("#preview").innerText(), /with 4 moves/);
  // The address holds the text.
  assert.match(page.url(), /game=rules%3A/);
  await page.reload();
  assert.match(await page.inputValue("#text"), /columns = 4/);
  await page.click("#preview a.button");
  await page.waitForSelector(".board");
  assert.match(await page.locator("h1").innerText(), /Hexapawn/);
  await step(page, () => page.fill("input[name=mv]", "a1-a2").then(() => page.keyboard.press("Enter")));
  assert.equal((await page.locator(".record li").count()) > 0, true);
  await page.click("text=The rules as text");
  await page.waitForSelector("#text");
  assert.match(await page.inputValue("#text"), /columns = 4/);
  await done(page);
});

// The checks put a proof beside the page.
test("a proof beside the page is read by parts, and plays", { skip: site ? false : "there is a server" }, async () => {
  const page = await visit("/play.html?game=fox-and-hounds&second=human");
  await page.waitForSelector("#proof");
  assert.match(await page.locator("#proof").innerText(), /second player wins|hounds/);
  assert.ok(parts.length >= 1 && parts.every((path) => path.startsWith("/tables/")), parts.join());
  await step(page, () => page.locator("#proof a.button").click());
  await step(page, () => page.locator(".board a.place").first().click());
  if (await page.locator(".board a.next").count()) await step(page, () => page.locator(".board a.next").first().click());
  await page.waitForFunction(() => document.querySelectorAll(".record li").length === 2);
  await done(page);
});

test("two folders of one host keep their own files", { skip: site ? false : "there is a server" }, async () => {
  const page = await visit("/play.html?game=tic-tac-toe");
  const names = await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    await caches.open("foregone https://other.example/b/ 1");
    const kept = async () => (await caches.keys()).filter((name) => name.startsWith(`foregone ${location.origin}`));
    while ((await kept()).length < 1) await new Promise((done) => setTimeout(done, 100));
    return caches.keys();
  });
  assert.equal(names.length, 2, names.join());
  await page.context().close();
});

test("after the first visit it works without a network", { skip: site ? false : "there is a server" }, async () => {
  const page = await visit("/play.html?game=tic-tac-toe");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const kept = async () => (await (await caches.open((await caches.keys())[0])).keys()).length;
    while ((await kept()) < 10) await new Promise((done) => setTimeout(done, 100));
  });
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector(".board");
  await step(page, () => page.click("#place-4"));
  await page.waitForSelector(".record li");
  await page.goto(`${address}/learn.html?lesson=proof`);
  await page.waitForSelector(".board");
  // A small proof is kept, too.
  await page.goto(`${address}/play.html?game=fox-and-hounds&second=human`);
  await page.waitForSelector("#proof");
  await page.context().close();
});

const shared = site ? (gecko ? "its workers cannot be asked" : false) : "there is a server";
test("from the second visit on, a search runs on several threads", { skip: shared }, async () => {
  const page = await visit("/play.html?game=tic-tac-toe");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.addInitScript(() => Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 3 }));
  await page.goto(`${address}/play.html?game=connect-four(columns=6,rows=5)&second=human&hints=on`);
  await page.waitForSelector(".headline");
  // How many moves it lasts may not be found in the time.
  assert.match(await page.locator("section.value").innerText(), /Draw( in 30 moves)?\..*By search/s);
  assert.equal(page.workers().length, 3);
  const begun = await page.workers()[0].evaluate(() => globalThis.threads);
  assert.ok(begun >= 2, `${begun} threads have begun`);
  await done(page);
});

test("it works without scripts", { skip: site ? "there is no server to answer" : false }, async () => {
  const page = await visit("/play.html?game=tic-tac-toe&hints=on", { javaScriptEnabled: false });
  await page.locator("#place-4").click();
  await page.waitForSelector(".record li");
  assert.equal(await page.locator(".record li").count(), 2);
  await done(page);
});

const PAGES = [
  "/",
  "/play.html?game=tic-tac-toe&moves=1,2,5&second=human&hints=on",
  "/play.html?game=connect-four(columns=5,rows=4)&moves=3,3,2&second=human&hints=on",
  "/play.html?game=fox-and-hounds(size=6)&second=human&hints=on&pick=16",
  "/play.html?game=kalah(pits=3,stones=3)&moves=1&second=human&hints=on",
  "/play.html?game=quantum-tic-tac-toe&moves=1-9,1-9&second=human",
  "/play.html?game=three-mens-morris&moves=5,1,2&second=human&hints=on",
  "/play.html?game=nim&moves=2:2&second=human&hints=on",
  "/tree.html?game=kalah(pits=2,stones=2)",
  "/new.html?game=kalah&p.pits=99",
  "/learn.html",
  "/learn.html?lesson=tree&moves=3,7",
  "/learn.html?lesson=minimax&step=3",
  "/learn.html?lesson=alpha-beta&step=19",
  "/learn.html?lesson=memory&moves=1,5,9",
  "/learn.html?lesson=backwards&step=2",
  "/learn.html?lesson=chance&step=2",
  "/learn.html?lesson=numbers&seen=0",
  "/learn.html?lesson=proof",
  "/strip.html?game=kalah&moves=3",
  "/rules.html",
  "/rules.html?game=rules:S0_MTVXISCxI5ErKTyxKUTBWMAQA",
];

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious, and phones need not scroll sideways (${colorScheme})`, async () => {
    for (const path of PAGES) {
      const page = await visit(path, { colorScheme, viewport: { width: 390, height: 844 } });
      await settled(page);
      for (const details of await page.locator("details").all()) {
        await details.evaluate((each) => (each.open = true));
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(wide <= 390, true, `${path} is ${wide} wide`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run());
      const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
      const told = serious.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
      assert.deepEqual(told, [], path);
      await page.context().close();
    }
  });
}
