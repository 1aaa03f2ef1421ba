// Answers the addresses of this folder in the browser: what `foregone serve` answers by a server, a module answers
// here, in workers, so that the page never stalls.

const fetched = globalThis.fetch;

// The time limits of a question that is answered at once, and of one that is thought about, in milliseconds.
const AT_ONCE = 50;
const THINK = 8000;

// What the page shows of a question that has not come far.
const NO_PROGRESS = '<div id="progress"></div>';

const PAGES = [PAGES_LIST];
// The files of addresses that can be shown while the module comes.
const STARTS = new Map([STARTS_LIST]);
const here = new URL(".", location.href);

// The module, compiled once for all workers.
let module = null;
const compiled = () =>
  (module ??= compile().catch((error) => {
    // The next question tries again.
    module = null;
    throw error;
  }));
const compile = async () => {
  const response = await fetch(new URL("assets/foregone.wasm", here));
  if (!response.ok) throw new Error(`assets/foregone.wasm: ${response.status}`);
  const kind = response.headers.get("content-type") ?? "";
  return kind.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
};
const tables = () =>
  fetched(new URL("tables/index.json", here)).then(
    (response) => (response.ok ? response.json() : []),
    () => [],
  );

// Whether workers share memory. WebKit can be isolated and have no such memory.
const SHARED = globalThis.crossOriginIsolated && "SharedArrayBuffer" in globalThis;

// How many threads a question has where workers share memory, at most.
const THREADS = 8;

// The memory of what thinks, in bytes: a quarter of what the device has, as far as the browser tells.
const MEMORY = Math.min((navigator.deviceMemory ?? 4) * 2 ** 28, 2 ** 31);

// The module in a worker, with more workers for its threads. It answers one question at a time.
class Solver {
  constructor(threads, bytes) {
    this.bytes = bytes;
    this.threads = SHARED ? threads : 1;
    this.flag = SHARED ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.last = Promise.resolve();
    this.open = 0;
    this.begin();
  }

  begin() {
    const places = Array.from({ length: this.threads - 1 }, () => new Int32Array(new SharedArrayBuffer(8)));
    this.started = false;
    for (const worker of this.workers ?? []) worker.terminate();
    this.workers = [this.worker()];
    this.ready = (async () => {
      const { bytes, flag } = this;
      this.given = { module: await compiled(), tables: await tables(), bytes, places, flag, base: here.href };
      await this.send({ start: this.given });
      this.started = true;
    })();
    // Whoever asks hears of it, and who asks after that begins anew.
    this.broken = false;
    this.ready.catch(() => (this.broken = true));
  }

  worker() {
    const worker = new Worker(new URL("assets/worker.js", here), { type: "module" });
    const failed = (message) => {
      // Threads that fail are done without.
      if (worker !== this.workers[0]) this.threads = 1;
      this.fail(new Error(message));
    };
    worker.onmessage = ({ data }) => {
      if ("progress" in data) this.progress = data.progress;
      else if ("memory" in data) this.startThreads(data.memory);
      else if ("error" in data) failed(data.error);
      else this.resolve(data.answer);
    };
    worker.onerror = (event) => failed(event.message);
    return worker;
  }

  startThreads(memory) {
    for (let nth = 0; nth < this.threads - 1; nth += 1) {
      const worker = this.worker();
      worker.postMessage({ start: { ...this.given, memory, nth } });
      this.workers.push(worker);
    }
  }

  send(message) {
    return new Promise((resolve, reject) => {
      Object.assign(this, { resolve, reject });
      this.workers[0].postMessage(message);
    });
  }

  get idle() {
    return this.open === 0;
  }

  // The answer to a question; one that is aborted rejects, and its work ends.
  ask(question, signal) {
    this.open += 1;
    const answer = this.last.then(async () => {
      signal?.throwIfAborted();
      if (this.broken) this.begin();
      await this.ready;
      const stop = () => this.stop(signal.reason);
      if (this.flag) Atomics.store(this.flag, 0, 0);
      this.progress = "";
      signal?.addEventListener("abort", stop);
      try {
        return await this.send({ question });
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    });
    this.last = answer.catch(() => {}).finally(() => (this.open -= 1));
    return answer;
  }

  // Ends the work on a question: by a flag in memory that is shared, else by ending the worker.
  stop(reason) {
    if (this.flag) return void Atomics.store(this.flag, 0, 1);
    this.fail(reason);
  }

  // Begins anew, if it had begun: the module may be in any state now.
  fail(reason) {
    this.reject?.(reason);
    for (const worker of this.workers) worker.terminate();
    if (this.started) this.begin();
  }
}

// One thinks; the other answers at once while the first is busy.
let first = null;
let second = null;
const thinker = () => (first ??= new Solver(Math.min(navigator.hardwareConcurrency ?? 1, THREADS), MEMORY));
const quick = () => (thinker().idle ? first : (second ??= new Solver(1, Math.min(MEMORY, 2 ** 28))));

// The path below the folder and the query of an address, if a page of this folder answers it.
const page = (url) => {
  if (url.origin !== here.origin || !url.pathname.startsWith(here.pathname)) return null;
  const path = url.pathname.slice(here.pathname.length);
  const name = path === "" ? "index" : path.replace(/\.html$/, "");
  return PAGES.includes(name) ? { path: `${name}.html`, query: url.search.slice(1) } : null;
};

// What an address shows, if it is a file.
const start = async (url, signal) => {
  const asked = page(url);
  const file = asked && STARTS.get(asked.query === "" ? asked.path : `${asked.path}?${asked.query}`);
  if (!file) return null;
  const response = await fetched(new URL(file, here), { signal });
  return response.ok ? { url, text: await response.text(), status: 200 } : null;
};

// What an address shows, and the address that it ended at.
const find = async (url, signal) => {
  if (first === null) {
    const page = await start(url, signal).catch(() => null);
    if (page) return page;
  }
  // The thinker alone knows how far it has come.
  if (page(url)?.path === "progress.html") return { url, text: first?.progress || NO_PROGRESS, status: 200 };
  let solver = quick();
  for (let turns = 0; turns < 20; turns += 1) {
    const asked = page(url);
    if (asked === null) throw new Error(`${url} is no page of this folder`);
    let answer = await solver.ask({ ...asked, how: "quickly", millis: AT_ONCE }, signal);
    if (answer === "later") {
      // What it finds is known to the thinker alone, which therefore shows it, too.
      solver = thinker();
      answer = await solver.ask({ ...asked, how: "slowly", millis: THINK }, signal);
    }
    if (answer === "later") {
      const query = new URLSearchParams(asked.query);
      query.delete("wait");
      url = new URL(`${asked.path}?${query}`, here);
      continue;
    }
    if (answer.go === undefined) return { url, text: answer.page ?? answer.wrong, status: answer.page ? 200 : 400 };
    url = new URL(answer.go, here);
  }
  throw new Error(`${url} leads nowhere`);
};

globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input, location.href);
  if (page(url) === null || (init?.method ?? "GET") !== "GET") return fetched(input, init);
  const { url: ended, text, status } = await find(url, init?.signal);
  const response = new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8" } });
  Object.defineProperties(response, { url: { value: ended.href }, redirected: { value: ended.href !== url.href } });
  return response;
};

// The page is whole, and its other scripts have run. After the first event only the second one comes.
const ready = new Promise((done) => {
  if (document.readyState === "complete") done();
  for (const event of ["DOMContentLoaded", "load"]) addEventListener(event, done, { once: true });
});

// The page of the address itself, which its file in the folder does not hold.
const show = async () => {
  const whole = page(new URL(location.href));
  if (whole?.path === "index.html" && whole.query === "") return;
  const main = document.getElementById("page");
  try {
    const { url, text } = await find(new URL(location.href));
    if (url.href !== location.href) history.replaceState(history.state, "", url);
    const whole = new DOMParser().parseFromString(text, "text/html");
    if (!main) await ready;
    document.title = whole.title;
    for (const { name, value } of whole.body.attributes) document.body.setAttribute(name, value);
    document.body.replaceChildren(...whole.body.children);
    // It can be seen before the other scripts are there.
    await ready;
    htmx.process(document.body);
    document.dispatchEvent(new Event("foregone:shown"));
  } catch (error) {
    const place = document.getElementById("page") ?? document.body;
    place.textContent = `This browser cannot run Foregone: ${error.message ?? error}`;
    place.setAttribute("role", "alert");
  }
};

// The module is loaded after what is shown without it, and all files are kept after that.
const keep = () => {
  if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
    navigator.serviceWorker.register(new URL("offline.js", here)).catch(() => {});
  }
};
// Slow devices draw the board first. A page that cannot be seen is never drawn.
const drawn = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 500);
});
show()
  .then(drawn)
  .then(() => thinker().ready)
  .then(keep, keep);
