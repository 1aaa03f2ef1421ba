// Runs the module: takes questions as messages, one at a time, and posts the answers. Or is one of the module's threads.
import WASI from "./wasi/wasi.js";
import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory } from "./wasi/fs_mem.js";
import { CLOCKID_MONOTONIC, ERRNO_AGAIN, ERRNO_IO, ERRNO_NOENT, ERRNO_SUCCESS } from "./wasi/wasi_defs.js";

// The file system of the module. There is a file `stop` while the page asks to stop.
class Root extends PreopenDirectory {
  constructor(contents, flag) {
    super("/", contents);
    this.flag = flag;
  }

  path_filestat_get(flags, path) {
    if (path !== "stop") return super.path_filestat_get(flags, path);
    const stop = this.flag !== null && Atomics.load(this.flag, 0) !== 0;
    return stop
      ? { ret: ERRNO_SUCCESS, filestat: new File([]).stat() }
      : { ret: ERRNO_NOENT, filestat: null };
  }
}

// A file that is read from the site by ranges, as needed.
class Remote extends OpenFile {
  fd_read(size) {
    const { ret, data } = this.fd_pread(size, this.file_pos);
    this.file_pos += BigInt(data.length);
    return { ret, data };
  }

  fd_pread(size, offset) {
    try {
      return { ret: ERRNO_SUCCESS, data: this.file.range(Number(offset), size) };
    } catch {
      // Without a network, or without the file, games are solved without their table.
      return { ret: ERRNO_IO, data: new Uint8Array() };
    }
  }
}

class RemoteFile extends File {
  // The fewest bytes of a request.
  static LEAST = 1 << 16;
  // The most blocks that are kept.
  static MOST = 1 << 9;

  constructor(url, bytes) {
    super([], { readonly: true });
    this.url = url;
    this.bytes = bytes;
    this.blocks = new Map();
  }

  get size() {
    return BigInt(this.bytes);
  }

  path_open() {
    const file = new Remote(this);
    file.fd_seek = (offset, whence) => {
      const from = [0n, file.file_pos, this.size][whence];
      file.file_pos = from + offset;
      return { ret: ERRNO_SUCCESS, offset: file.file_pos };
    };
    return { ret: ERRNO_SUCCESS, fd_obj: file };
  }

  block(number) {
    const first = number * RemoteFile.LEAST;
    const last = Math.min(first + RemoteFile.LEAST, this.bytes) - 1;
    if (this.whole) return this.whole.subarray(first, last + 1);
    let block = this.blocks.get(number);
    if (block === undefined) {
      const request = new XMLHttpRequest();
      request.open("GET", this.url, false);
      request.responseType = "arraybuffer";
      request.setRequestHeader("Range", `bytes=${first}-${last}`);
      request.send();
      if (request.status !== 200 && request.status !== 206) throw new Error(`${this.url}: ${request.status}`);
      block = new Uint8Array(request.response ?? []);
      if (request.status === 200) {
        // A host without ranges sends all of it.
        this.whole = block;
        return this.block(number);
      }
      this.blocks.set(number, block);
      if (this.blocks.size > RemoteFile.MOST) this.blocks.delete(this.blocks.keys().next().value);
    }
    return block;
  }

  range(offset, size) {
    const end = Math.min(offset + size, this.bytes);
    const data = new Uint8Array(Math.max(end - offset, 0));
    for (let at = offset; at < end; ) {
      const number = Math.floor(at / RemoteFile.LEAST);
      const from = at - number * RemoteFile.LEAST;
      const part = this.block(number).subarray(from, from + end - at);
      if (part.length === 0) break;
      data.set(part, at - offset);
      at += part.length;
    }
    return data;
  }
}

// The threads of the module are workers that the page has started before they are needed, since a worker that a busy
// worker starts does not begin. Each waits in its place, which all share: its state, and what the thread has to do.
const STATE = 0;
const WORK = 1;
const FREE = 1;
const TAKEN = 2;
const CALLED = 3;

// Gives a thread to a free worker: its number, from 1, or an error if there is none.
const spawn = (places, work) => {
  for (const [nth, place] of places.entries()) {
    if (Atomics.compareExchange(place, STATE, FREE, TAKEN) !== FREE) continue;
    globalThis.threads = (globalThis.threads ?? 0) + 1; // for tests
    place[WORK] = work;
    Atomics.store(place, STATE, CALLED);
    Atomics.notify(place, STATE);
    return nth + 1;
  }
  return -ERRNO_AGAIN;
};

// Is one thread after the other, all with this number, until the worker is ended.
const beThreads = (place, number, begin) => {
  for (;;) {
    Atomics.store(place, STATE, FREE);
    for (let state = FREE; state !== CALLED; state = Atomics.load(place, STATE)) Atomics.wait(place, STATE, state);
    begin(number, place[WORK]);
  }
};

// What the interface does not do as threads need it: shared memory cannot be filled with random bytes directly, and
// clocks of workers begin when each of them does.
const mended = (imports, memory) => ({
  ...imports,
  random_get: (at, size) => {
    for (let done = 0; done < size; done += 1 << 16) {
      const part = crypto.getRandomValues(new Uint8Array(Math.min(size - done, 1 << 16)));
      new Uint8Array(memory.buffer).set(part, at + done);
    }
    return ERRNO_SUCCESS;
  },
  clock_time_get: (clock, precision, at) => {
    if (clock !== CLOCKID_MONOTONIC) return imports.clock_time_get(clock, precision, at);
    const millis = performance.timeOrigin + performance.now();
    new DataView(memory.buffer).setBigUint64(at, BigInt(Math.round(millis * 1000)) * 1000n, true);
    return ERRNO_SUCCESS;
  },
});

let ask;

// The module's memory, in pages of 64 KiB: as many at first as `build.sh` says, later as many as the browser allows.
const newMemory = () => {
  for (let maximum = 1 << 16; ; maximum >>= 1) {
    try {
      return new WebAssembly.Memory({ initial: 1 << 8, maximum, shared: true });
    } catch (error) {
      if (maximum <= 1 << 12) throw error;
    }
  }
};

// Starts the module, or thread `nth` of a module with this memory.
const start = async ({ module, memory, nth, bytes, places, flag, tables, base }) => {
  memory ??= newMemory();
  const files = tables.map(({ name, bytes }) => [name, new RemoteFile(new URL(`tables/${encodeURIComponent(name)}`, base), bytes)]);
  const contents = new Map(files.length > 0 ? [["tables", new Directory(new Map(files))]] : []);
  const input = new OpenFile(new File([]));
  let parts = [];
  const output = new ConsoleStdout((bytes) => parts.push(bytes));
  const errors = ConsoleStdout.lineBuffered((line) => {
    if (line.startsWith("progress ")) postMessage({ progress: line.slice("progress ".length) });
    else console.error(line);
  });
  const environment = [`FOREGONE_MEMORY=${bytes}`, `FOREGONE_THREADS=${1 + places.length}`];
  const wasi = new WASI([], environment, [input, output, errors, new Root(contents, flag)], { debug: false });
  const instance = await WebAssembly.instantiate(module, {
    env: { memory },
    wasi: { "thread-spawn": (work) => spawn(places, work) },
    wasi_snapshot_preview1: mended(wasi.wasiImport, memory),
  });
  if (nth !== undefined) {
    wasi.inst = instance;
    beThreads(places[nth], nth + 1, instance.exports.wasi_thread_start); // for ever
  }
  wasi.initialize(instance);
  if (places.length > 0) postMessage({ memory });
  ask = (question) => {
    input.file.data = new TextEncoder().encode(JSON.stringify(question));
    input.file_pos = 0n;
    parts = [];
    if (instance.exports.foregone_answer() !== 0) throw new Error("the question cannot be read");
    const text = new TextDecoder();
    return JSON.parse(parts.map((part) => text.decode(part, { stream: true })).join("") + text.decode());
  };
};

onmessage = async ({ data }) => {
  try {
    if (data.start) await start(data.start);
    postMessage({ answer: data.start ? "ready" : ask(data.question) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
