// Keeps the folder, so that it works without a network after the first visit; and has memory be shared among
// workers, for which hosts of folders set no headers.
// Other folders on the same host keep their own files.
const OWN = `foregone ${registration.scope} `;
const KEPT = `${OWN}VERSION`;
const FILES = [FILES_LIST];

addEventListener("install", (event) => {
  const fill = async () => (await caches.open(KEPT)).addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
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
  // Parts of tables are not kept.
  if (request.method !== "GET" || url.origin !== location.origin || request.headers.has("range")) return;
  const answer = async () => {
    const kept = await (await caches.open(KEPT)).match(request, { ignoreSearch: true });
    return isolated(kept ?? (await fetch(request)));
  };
  event.respondWith(answer());
});
