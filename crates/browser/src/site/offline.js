// Keeps the folder, so that it works without a network after the first visit; and has memory be shared among
// workers, for which hosts of folders set no headers.
// Other folders on the same host keep their own files.
const OWN = `foregone ${registration.scope} `;
const KEPT = `${OWN}VERSION`;
const FILES = [FILES_LIST];
const addressOf = (file) => new URL(file.split("/").map(encodeURIComponent).join("/"), registration.scope).href;
const KEEPS = new Set(FILES.map(addressOf));

addEventListener("install", (event) => {
  // What the page has just loaded is only asked for again if the host says that it has changed.
  const fill = async () => (await caches.open(KEPT)).addAll([...KEEPS].map((url) => new Request(url, { cache: "no-cache" })));
  event.waitUntil(fill().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(clean());
  // Nothing waits for it: in Firefox it ends only when a worker that thinks answers, and until then every request would
  // wait, too.
  clients.claim();
});

const isolated = (response) => {
  const headers = new Headers(response.headers);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-embedder-policy", "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const range = request.headers.get("range");
  // Parts of large tables are not kept.
  if (request.method !== "GET" || url.origin !== location.origin || (range && !KEEPS.has(url.href))) return;
  const answer = async () => {
    const kept = await (await caches.open(KEPT)).match(url.href, { ignoreSearch: true });
    if (!kept || !range) return isolated(kept ?? (await fetch(request)));
    const [first, last] = range.match(/\d+/g).map(Number);
    return isolated(new Response((await kept.blob()).slice(first, last + 1), { status: 206 }));
  };
  event.respondWith(answer());
});
