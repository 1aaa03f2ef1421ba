// What the tests and the pictures of the page start: the program or a static host, and a browser.
//
// The variable FOREGONE names the program, CHROMIUM and FIREFOX the browsers.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium, firefox } from "playwright-core";

const program = process.env.FOREGONE ?? "../../../../target/debug/foregone";

// Starts the server of the page at any free port, with some time to think. `kill` stops it.
export const serve = async (think = "2s") => {
  const server = spawn(program, ["serve", "--port", "0", "--think", think]);
  server.address = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(/http:\/\/[^/\s]+/.exec(data.toString())[0]));
    server.once("error", reject);
  });
  return server;
};

const kinds = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

// The parts of files that `host` was asked for.
export const parts = [];

// A host of static files, which knows nothing of games.
export const host = (folder) =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    try {
      const file = join(folder, pathname === "/" ? "index.html" : pathname);
      const bytes = readFileSync(file);
      const headers = { "content-type": kinds[extname(file)] ?? "application/octet-stream" };
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      if (range) {
        parts.push(pathname);
        const [first, last] = range.slice(1).map(Number);
        headers["content-range"] = `bytes ${first}-${last}/${bytes.length}`;
        response.writeHead(206, headers);
        response.end(bytes.subarray(first, last + 1));
        return;
      }
      response.writeHead(200, headers);
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });

// A host that compresses, as public ones do; once for each file.
export const compressing = (folder) => {
  const kept = new Map();
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    const name = pathname === "/" ? "index.html" : pathname;
    try {
      if (!kept.has(name)) kept.set(name, gzipSync(readFileSync(join(folder, name)), { level: 9 }));
      const kind = kinds[extname(name)] ?? "application/octet-stream";
      // Who asks for a part of a file wants it as it is.
      const zipped = /gzip/.test(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-type": kind, ...(zipped && { "content-encoding": "gzip" }) });
      response.end(zipped ? kept.get(name) : readFileSync(join(folder, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
};

// Starts a host of a folder.
export const serveFolder = async (folder, kind = host) => {
  const server = kind(folder);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.address = `http://127.0.0.1:${server.address().port}`;
  server.kill = () => {
    server.close();
    server.closeAllConnections();
  };
  return server;
};

export const launchChromium = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
export const launchFirefox = () =>
  firefox.launch({ channel: "moz-firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" });
