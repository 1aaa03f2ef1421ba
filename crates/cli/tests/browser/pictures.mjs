// The pictures of the readme, as the page shows itself in headless Chromium: a board with values, and a lesson step by step.
//
//   npm run pictures        writes docs/pictures/page.png and lesson.gif

import { writeFileSync } from "node:fs";
import gifenc from "gifenc";
import { PNG } from "pngjs";
import { launchChromium, serve } from "./start.mjs";

const folder = new URL("../../../../docs/pictures/", import.meta.url);
const server = await serve();
const browser = await launchChromium();
const open = async (path, size) => {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: size });
  const page = await context.newPage();
  await page.goto(server.address + path);
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
