// The pictures of the readme, as the page shows itself in headless Chromium: a board with values, and a lesson step by step.
//
//   npm run pictures        writes docs/pictures/page.png and lesson.gif; the variable FOREGONE names the program

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import gifenc from "gifenc";
import { PNG } from "pngjs";

const folder = new URL("../../../../docs/pictures/", import.meta.url);
const server = spawn(process.env.FOREGONE ?? "../../../../target/debug/foregone", ["serve", "--port", "0"]);
const address = await new Promise((resolve) =>
  server.stdout.once("data", (data) => resolve(/http:\/\/[^/\s]+/.exec(data.toString())[0])),
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const open = async (path, size) => {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: size });
  const page = await context.newPage();
  await page.goto(address + path);
  return page;
};

const page = await open("/play.html?game=connect-four(columns=5,rows=4)&moves=3,3,2&second=human&hints=on", { width: 1100, height: 760 });
await page.waitForTimeout(3000);
writeFileSync(new URL("page.png", folder), await page.screenshot());

// Each step until there is no next one; what has not changed stays.
const lesson = await open("/learn.html?lesson=alpha-beta", { width: 900, height: 700 });
const gif = gifenc.GIFEncoder();
let palette;
let before;
for (;;) {
  const { width, height, data } = PNG.sync.read(await lesson.screenshot());
  palette ??= gifenc.quantize(data, 63);
  const shown = gifenc.applyPalette(data, palette);
  const changed = shown.map((colour, at) => (before?.[at] === colour ? palette.length : colour));
  const transparent = { transparent: true, transparentIndex: palette.length, dispose: 1 };
  gif.writeFrame(changed, width, height, { palette: [...palette, [0, 0, 0]], delay: 1200, ...transparent });
  before = shown;
  if (!(await lesson.locator("a#step-on").count())) break;
  await lesson.click("a#step-on");
  await lesson.waitForLoadState("networkidle");
}
gif.finish();
writeFileSync(new URL("lesson.gif", folder), gif.bytes());
await browser.close();
server.kill();
