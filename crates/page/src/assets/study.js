// What a reader keeps: notes on positions, games with names, and copies of a board. All of it stays in this
// browser, or goes into a file.
(() => {
  "use strict";

  // Other pages of the same host keep theirs.
  const GAMES = "foregone games";
  const NOTE = "foregone note ";
  // The most that is read from a file, in bytes, and the longest note and name, in characters.
  const LARGEST = 1 << 20;
  const LONGEST = 4000;
  const NAME = 100;
  const MOST = 200;

  const store = {
    get(key, other) {
      try {
        return JSON.parse(localStorage.getItem(key)) ?? other;
      } catch {
        return other;
      }
    },
    set(key, value) {
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(value));
        return true;
      } catch {
        tell("This browser has no room left, or keeps nothing.");
        return false;
      }
    },
  };

  const byId = (id) => document.getElementById(id);
  const tell = (words) => {
    const place = byId("study-told");
    if (place) place.textContent = words;
  };

  // The game, its start and the moves of an address.
  const placeOf = (address) => {
    const query = new URLSearchParams(address.split("?")[1]);
    const [game, position, moves] = ["game", "position", "moves"].map((name) => query.get(name) ?? "");
    return { game, position, moves: moves.split(/[ ,]/).filter(Boolean) };
  };

  // The same up to the board.
  const here = () => {
    const strip = document.querySelector(".play[data-strip]")?.dataset.strip;
    if (!strip) return null;
    return placeOf(strip);
  };
  const noteKey = ({ game, position, moves }) => NOTE + JSON.stringify([game, position, moves]);

  const games = () => {
    const kept = store.get(GAMES, []);
    return Array.isArray(kept) ? kept.filter(sound) : [];
  };

  // Without what would hide a name or turn it round.
  const plainly = (name) => name.replace(/[\p{Cc}\p{Cf}]/gu, " ").trim().slice(0, NAME);

  // Whether a game may be kept: a file can hold anything.
  const sound = (each) =>
    typeof each?.name === "string" &&
    plainly(each.name) !== "" &&
    typeof each.address === "string" &&
    /^play(\.html)?\?/.test(each.address) &&
    each.address.length < 20_000 &&
    (each.notes === undefined || soundNotes(each));
  const soundNotes = ({ address, notes }) => {
    if (notes === null || typeof notes !== "object" || Array.isArray(notes)) return false;
    const last = placeOf(address).moves.length;
    return Object.entries(notes).every(
      ([at, note]) => /^\d+$/.test(at) && Number(at) <= last && typeof note === "string" && note.length <= LONGEST,
    );
  };

  // The positions of a game, each with the key of its note.
  const noteKeys = (address) => {
    const { game, position, moves } = placeOf(address);
    return Array.from({ length: moves.length + 1 }, (_, at) => noteKey({ game, position, moves: moves.slice(0, at) }));
  };
  const notesOf = (address) => {
    const all = noteKeys(address).map((key, at) => [at, store.get(key, "")]);
    return Object.fromEntries(all.filter(([, note]) => note !== ""));
  };

  // The address of the game with the moves after the board.
  const whole = () => {
    const query = new URLSearchParams(location.search);
    for (const name of ["pick", "stop", "wait"]) query.delete(name);
    return `play.html?${query}`;
  };

  // Notes from a file; those that are here stay.
  const keepNotes = ({ address, notes = {} }) => {
    const keys = noteKeys(address);
    for (const [at, note] of Object.entries(notes)) {
      const here = store.get(keys[at], "");
      if (!here.includes(note)) store.set(keys[at], here === "" ? note : `${here}\n${note}`.slice(0, LONGEST));
    }
  };

  // The list of kept games, on the page of a game and on the first page.
  const list = () => {
    const all = games();
    const place = byId("saved");
    if (place) {
      place.replaceChildren(
        ...all.map(({ name, address }) => {
          const item = document.createElement("li");
          const link = document.createElement("a");
          link.href = address;
          link.textContent = name;
          const { game, moves } = placeOf(address);
          const about = document.createElement("small");
          about.textContent = `${game}, ${moves.length === 1 ? "1 move" : `${moves.length} moves`}`;
          const drop = document.createElement("button");
          drop.type = "button";
          drop.className = "drop";
          Object.assign(drop.dataset, { name, address });
          drop.textContent = "Remove";
          drop.setAttribute("aria-label", `Remove ${name}`);
          item.append(link, " ", about, " ", drop);
          return item;
        }),
      );
      if (window.htmx) htmx.process(place);
    }
    const kept = byId("kept");
    if (kept) kept.hidden = all.length === 0;
  };

  const show = () => {
    const study = byId("study");
    if (study) study.hidden = false;
    const note = byId("note");
    const place = here();
    const words = place && store.get(noteKey(place), "");
    if (note && place) note.value = typeof words === "string" ? words : "";
    list();
  };

  // A board with its colours written out, for programs that do not know the page's style.
  const picture = () => {
    const tree = document.querySelector("#tree > svg");
    const board = tree ?? document.querySelector(".board");
    const copy = board.cloneNode(false);
    const shapes = tree ?? board.querySelector("g");
    const styled = shapes.cloneNode(true);
    const [from, to] = [shapes, styled].map((each) => [...each.querySelectorAll("*")]);
    from.forEach((shape, at) => {
      const { fill, stroke, strokeWidth, fontFamily, fontWeight } = getComputedStyle(shape);
      to[at].removeAttribute("class");
      Object.assign(to[at].style, { fill, stroke, strokeWidth });
      if (shape.tagName === "text") Object.assign(to[at].style, { fontFamily, fontWeight });
    });
    const [left, top, width, height] = board.getAttribute("viewBox").split(" ").map(Number);
    for (const name of ["class", "role"]) copy.removeAttribute(name);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    copy.append(...(tree ? styled.childNodes : [styled]));
    return { text: new XMLSerializer().serializeToString(copy), left, top, width, height };
  };

  const image = async () => {
    const { text, width, height } = picture();
    const drawn = new Image();
    drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await drawn.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, width, height);
    context.drawImage(drawn, 0, 0);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  };

  const download = (blob, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  const clipboard = () => {
    if (!navigator.clipboard) throw new Error("it copies only from this machine or from an address with https");
  };
  const copy = async (words, what) => {
    clipboard();
    await navigator.clipboard.writeText(words);
    tell(`${what} copied.`);
  };

  const acts = {
    "copy-link": () => copy(new URL(whole(), document.baseURI).href, "Link"),
    "copy-moves": () => copy(here().moves.join(" "), "Moves"),
    "copy-position": () => copy(document.querySelector("#texts code").textContent, "Position"),
    "copy-svg": () => copy(picture().text, "Picture as SVG"),
    "copy-image": async () => {
      clipboard();
      // Some browsers want the promise, so that the click still counts.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": image() })]);
      tell("Picture copied.");
    },
    "save-svg": () => download(new Blob([picture().text], { type: "image/svg+xml" }), "tree.svg"),
    "save-image": async () => download(await image(), "board.png"),
    export: () => {
      const all = games().map(({ name, address }) => ({ name, address, notes: notesOf(address) }));
      const text = JSON.stringify({ foregone: 1, games: all }, null, 2);
      download(new Blob([text], { type: "application/json" }), "games.json");
      tell(all.length === 1 ? "1 game was written." : `${all.length} games were written.`);
    },
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("#study button, #kept button, #save-svg");
    if (!button) return;
    if (button.matches(".drop")) {
      const { name, address } = button.dataset;
      store.set(GAMES, games().filter((each) => each.name !== name || each.address !== address));
      list();
      return;
    }
    try {
      await acts[button.id]?.();
    } catch (error) {
      tell(`This browser refuses: ${error.message}`);
    }
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "save") return;
    event.preventDefault();
    event.stopPropagation();
    const name = plainly(byId("save-name").value) || plainly(document.title);
    const kept = games().filter((each) => each.name !== name);
    const replaced = kept.length < games().length ? ", in place of the one with this name" : "";
    if (kept.length >= MOST) tell(`${MOST} games are kept already: remove one first.`);
    else if (store.set(GAMES, [{ name, address: whole() }, ...kept])) tell(`"${name}" is kept in this browser${replaced}.`);
    list();
  }, true);

  document.addEventListener("input", (event) => {
    if (event.target.id !== "note") return;
    const place = here();
    const note = event.target.value.slice(0, LONGEST);
    if (place) store.set(noteKey(place), note === "" ? null : note);
  });

  document.addEventListener("change", async (event) => {
    if (event.target.id !== "import") return;
    const [file] = event.target.files;
    event.target.value = "";
    try {
      if (file.size > LARGEST) throw new Error(`it has more than ${LARGEST} bytes`);
      const text = await file.text();
      if (!/\.json$/i.test(file.name)) {
        // A list of moves, as one could type it.
        const field = byId("field-line");
        field.value = text.trim().replace(/\s+/g, " ");
        if (field.value === "") throw new Error("it is empty");
        tell("");
        field.form.requestSubmit();
        return;
      }
      const read = JSON.parse(text);
      const sane = Array.isArray(read?.games) ? read.games.filter(sound) : [];
      const named = new Map(sane.map((each) => [plainly(each.name), each]));
      const found = [...named].map(([name, { address, notes }]) => ({ name, address, notes }));
      if (found.length === 0) throw new Error("it has no games that were saved here");
      const names = new Set(found.map(({ name }) => name));
      const listed = found.map(({ name, address }) => ({ name, address }));
      const others = games().filter(({ name }) => !names.has(name));
      const most = MOST - others.length;
      if (found.length > most) throw new Error(`it has ${found.length} games, and there is room for ${most}`);
      if (!store.set(GAMES, [...listed, ...others])) return;
      found.forEach(keepNotes);
      tell(found.length === 1 ? "1 game was read." : `${found.length} games were read.`);
    } catch (error) {
      tell(`This file cannot be read: ${error.message}`);
    }
    show();
  });

  // What was kept before the names said whose it is. Another page's `games` are not ours, and stay.
  const bring = () => {
    const old = store.get("games", null);
    if (Array.isArray(old) && old.length > 0 && old.every(sound) && games().length === 0 && store.set(GAMES, old)) {
      store.set("games", null);
    }
    let keys = [];
    try {
      keys = Object.keys(localStorage).filter((key) => key.startsWith('note ["'));
    } catch {
      // Without storage there is nothing.
    }
    for (const key of keys) {
      const place = key.slice("note ".length);
      const note = store.get(key, null);
      if (typeof note === "string" && store.get(NOTE + place, null) === null && store.set(NOTE + place, note)) {
        store.set(key, null);
      }
    }
  };
  bring();

  // Games may be kept in another tab.
  addEventListener("storage", ({ key }) => {
    if (key === GAMES) list();
  });

  for (const whole of ["DOMContentLoaded", "foregone:shown", "htmx:after:swap"]) {
    document.addEventListener(whole, show);
  }
})();
