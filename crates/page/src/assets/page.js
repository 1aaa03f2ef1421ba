// What links and forms alone cannot do: clicks on the board without a new page, keys, the title,
// and giving up what nobody waits for any longer.
(() => {
  "use strict";

  // Links inside pictures are not HTML's, so they are followed here as the others are.
  const follow = (href, part = "#page") =>
    htmx.ajax("GET", href, { target: part, select: part, swap: "outerHTML", push: "true" });

  // For a projector: the board alone, as large as there is room, until Escape.
  const projected = "foregone-projector";
  const project = () => {
    const button = document.getElementById("projector");
    // Only where there is a board to play on: a lesson needs its words.
    document.body.classList.toggle("projected", Boolean(button) && sessionStorage.getItem(projected) === "on");
    if (button) button.hidden = false;
    const task = document.getElementById("copy-task");
    if (task) task.hidden = false;
  };
  const toProjector = (on) => (sessionStorage.setItem(projected, on ? "on" : ""), project());
  document.addEventListener("click", ({ target }) => {
    if (target.id === "projector") toProjector(true);
    if (target.id !== "copy-task") return;
    const address = new URL(location.href);
    // What somebody has tried is no part of it.
    address.searchParams.delete("moves");
    const said = (words) => () => (target.textContent = words);
    const copied = navigator.clipboard?.writeText(address.href) ?? Promise.reject();
    copied.then(said("Copied"), said("Copy it from the bar above"));
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && toProjector(false));

  // A game tree is dragged, and made larger and smaller; it stays so when a node opens.
  let dragged = false;
  let zoom;
  let drew;
  const tree = (left) => {
    const figure = document.getElementById("tree");
    const drawn = figure?.querySelector("svg");
    if (!drawn) return;
    // Another kind of tree begins at its root.
    if (drew !== figure.dataset.show) zoom = left = undefined;
    drew = figure.dataset.show;
    document.getElementById("zoom").hidden = false;
    drawn.dataset.width ??= drawn.getAttribute("width");
    // At first as much of it as can be read.
    zoom ??= Math.min(Math.max(figure.clientWidth / drawn.dataset.width, 0.7), 1);
    drawn.setAttribute("width", drawn.dataset.width * zoom);
    figure.scrollLeft = left ?? drawn.dataset.root * drawn.getAttribute("width") - figure.clientWidth / 2;
  };
  let left;
  document.addEventListener("pointerdown", () => (dragged = false));
  document.addEventListener("pointermove", (event) => {
    const figure = event.pointerType === "mouse" && event.buttons === 1 && event.target.closest?.("#tree");
    if (!figure) return;
    dragged ||= Math.abs(event.movementX) + Math.abs(event.movementY) > 1;
    figure.scrollLeft -= event.movementX;
    scrollBy(0, -event.movementY);
  });
  document.addEventListener("click", (event) => {
    const by = event.target.closest?.("[data-zoom]")?.dataset.zoom;
    const figure = document.getElementById("tree");
    if (!by || !figure) return;
    const fit = figure.clientWidth / figure.querySelector("svg").dataset.width;
    zoom = by === "fit" ? fit : Math.min(Math.max(zoom * Number(by), 0.1), 4);
    tree();
  });
  for (const whole of ["DOMContentLoaded", "foregone:shown"]) document.addEventListener(whole, () => tree());
  document.addEventListener("htmx:before:swap", () => (left = document.getElementById("tree")?.scrollLeft));
  document.addEventListener("htmx:after:settle", () => tree(left));

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("svg a");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (link && plain) {
      event.preventDefault();
      const href = link.getAttribute("href");
      const opens = link.closest("#tree") && href.startsWith("tree");
      if (!dragged) follow(href, opens ? "#tree" : undefined);
    }
  });

  // Light or dark: as the system has it, until somebody chooses.
  const theme = (chosen) => {
    const root = document.documentElement;
    try {
      if (chosen) localStorage.setItem("foregone-theme", chosen);
      chosen ??= localStorage.getItem("foregone-theme");
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    if (chosen) root.dataset.theme = chosen;
    const button = document.getElementById("theme");
    if (!button) return;
    button.hidden = false;
    const isDark = (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
    button.dataset.next = isDark ? "light" : "dark";
    button.textContent = isDark ? "Light" : "Dark";
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", () => theme());
  document.addEventListener("click", ({ target }) => target.id === "theme" && theme(target.dataset.next));
  for (const whole of ["DOMContentLoaded", "foregone:shown"]) document.addEventListener(whole, () => theme());
  theme();

  // The puzzle of the day, and how many days in a row it was solved.
  const day = () => Math.floor(Date.now() / 86_400_000);
  const puzzles = () => {
    const link = document.getElementById("today");
    if (link) {
      const number = (day() % Number(link.dataset.puzzles)) + 1;
      link.setAttribute("href", link.getAttribute("href").replace(/step=\d+/, `step=${number}`));
      sessionStorage.setItem("foregone-today", String(number));
    }
    const streak = document.getElementById("streak");
    if (!streak || streak.dataset.number !== sessionStorage.getItem("foregone-today")) return;
    const kept = JSON.parse(localStorage.getItem("foregone-streak") ?? "null") ?? { day: 0, days: 0 };
    if (document.getElementById("solved") && kept.day !== day()) {
      kept.days = kept.day === day() - 1 ? kept.days + 1 : 1;
      kept.day = day();
      localStorage.setItem("foregone-streak", JSON.stringify(kept));
    }
    const lasts = kept.day >= day() - 1 && kept.days > 0;
    streak.hidden = !lasts;
    streak.textContent = `Puzzles of the day in a row: ${kept.days}`;
  };
  // Lessons that were done have a tick.
  const lessons = () => {
    const done = new Set(JSON.parse(localStorage.getItem("foregone-lessons") ?? "[]"));
    const learned = document.getElementById("learned")?.dataset.lesson;
    if (learned && !done.has(learned)) localStorage.setItem("foregone-lessons", JSON.stringify([...done.add(learned)]));
    for (const card of document.querySelectorAll(".lessons [data-lesson]"))
      card.querySelector(".tick").hidden = !done.has(card.dataset.lesson);
  };
  for (const whole of ["DOMContentLoaded", "foregone:shown", "htmx:after:settle"])
    for (const each of [puzzles, lessons, () => project()]) document.addEventListener(whole, each);

  // Another opponent plays at once.
  document.addEventListener("change", (event) => event.target.closest?.("#players")?.requestSubmit());

  // The place that had the focus keeps it when the board is drawn anew.
  let focused = null;
  document.addEventListener("focusin", (event) => {
    focused = event.target.closest?.("[id]")?.id ?? null;
  });

  // What a person has opened, closed or typed stays as it is. Between the two events of a swap a person may go on,
  // so that elements are kept and not their states.
  let kept = { folds: [], fields: [] };
  const keep = () => {
    const folds = [...document.querySelectorAll("details[id]")];
    const fields = [...document.querySelectorAll("#page input[id], #page select[id]")];
    kept = { folds, fields: fields.filter((field) => field.form !== sent) };
  };
  const changed = (field) =>
    field.type === "checkbox"
      ? field.checked !== field.defaultChecked
      : field.matches("select")
        ? !field.selectedOptions[0]?.defaultSelected
        : field.value !== field.defaultValue;
  const restore = () => {
    // An element that was not replaced is as the person left it.
    const gone = ({ isConnected }) => !isConnected;
    for (const { id, dataset, open } of kept.folds.filter(gone)) {
      const fold = document.getElementById(id);
      // One that says what is wrong stays open.
      if (fold && fold.dataset.game === dataset.game) fold.open = open || fold.querySelector("[role=alert]") !== null;
    }
    for (const { id, type, value, checked } of kept.fields.filter(gone).filter(changed)) {
      const field = document.getElementById(id);
      if (field) Object.assign(field, type === "checkbox" ? { checked } : { value });
    }
  };
  // A form that was sent has done its work.
  let sent = null;
  document.addEventListener("submit", (event) => (sent = event.target), true);
  // An answer without what was asked for, such as a proxy's while the server starts, changes nothing.
  const refuse = (words) => {
    let place = document.getElementById("failed");
    if (!place) {
      place = document.createElement("p");
      Object.assign(place, { id: "failed", className: "error" });
      place.setAttribute("role", "alert");
      document.body.append(place);
    }
    place.textContent = words;
    place.hidden = words === "";
  };
  const lacking = ({ text, select, response } = {}) => {
    if (!select || typeof text !== "string") return null;
    const page = new DOMParser().parseFromString(text, "text/html");
    // Who asks too often keeps the board.
    if (page.querySelector(select) && response?.status !== 429) return null;
    return page.querySelector(".notice .error")?.textContent ?? "No answer came: try again.";
  };
  // What the page waits for is asked again if no answer came, as when the server starts anew.
  let again = 0;
  const askAgain = ({ target }) => {
    if (target.firstElementChild?.id === "progress") return;
    clearTimeout(again);
    again = setTimeout(() => {
      const address = document.getElementById("waiting")?.getAttribute("hx-get");
      const part = "#page";
      if (address) htmx.ajax("GET", address, { target: part, select: part, swap: "outerHTML" });
    }, 3000);
  };
  document.addEventListener("htmx:before:swap", (event) => {
    const why = lacking(event.detail?.ctx);
    refuse(why ?? "");
    if (why !== null) {
      askAgain(event);
      event.preventDefault();
      return;
    }
    keep();
    before = shown();
  });

  // A tab names itself, so that those behind one address take turns.
  const tab = String(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));

  // How far a question has come is asked for every half second at first, later every two.
  document.addEventListener("htmx:before:request", (event) => {
    const headers = event.detail?.ctx?.request?.headers;
    if (headers) headers["Foregone-Tab"] = tab;
    const asks = event.target;
    if (asks.firstElementChild?.id !== "progress") return;
    asks.asked = (asks.asked ?? 0) + 1;
    if (asks.asked > 6 && asks.asked % 4 !== 0) event.preventDefault();
  });

  document.addEventListener("htmx:error", (event) => {
    if (!event.detail?.ctx) return;
    refuse("No answer came: try again.");
    askAgain(event);
  });

  // The rules of a game are open only until they have been seen.
  const met = new WeakSet();
  const seen = () => {
    const rules = document.getElementById("about");
    if (!rules || met.has(rules)) return;
    met.add(rules);
    const { game } = rules.dataset;
    const key = `seen ${game}`;
    const stays = kept.folds.some(({ id, dataset }) => id === "about" && dataset.game === game);
    try {
      if (localStorage.getItem(key) && !stays) rules.open = false;
      localStorage.setItem(key, "yes");
    } catch {
      // Without storage they are open whenever a game begins.
    }
  };
  // The move of the board is in sight in the list of all.
  const find = () => {
    const list = document.querySelector(".record");
    const now = list?.querySelector(".now");
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - (list.clientHeight - now.clientHeight) / 2;
  };
  // A page without a server says itself when it is there.
  for (const whole of ["DOMContentLoaded", "foregone:shown"]) {
    document.addEventListener(whole, () => {
      seen();
      find();
      sound.show();
    });
  }

  // Another page, game or lesson begins at its top; the same board stays where it is.
  const place = () => {
    const query = new URLSearchParams(location.search);
    return [location.pathname, ...["game", "lesson", "step"].map((name) => query.get(name))].join();
  };
  let at = place();
  let isBack = false;
  addEventListener("popstate", () => (isBack = true));
  const settle = () => {
    if (place() !== at && !isBack) scrollTo(0, 0);
    at = place();
    isBack = false;
    const page = document.getElementById("page");
    if (page?.dataset.title) document.title = page.dataset.title;
    // What had the focus has it again, or if that is gone, the page has it.
    for (const element of [document.getElementById(focused), page]) {
      if (focused && document.activeElement === document.body) element?.focus({ preventScroll: true });
    }
  };
  document.addEventListener("htmx:after:swap", () => {
    restore();
    seen();
    find();
    settle();
    sound.show();
    if (before) move(before, shown() ?? { moves: [] });
    before = null;
  });
  document.addEventListener("htmx:after:settle", settle);

  // A board that has changed by moves shows them, step by step, unless the reader wants no motion.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const LONGEST = 2400;
  const shown = () => {
    const play = document.querySelector(".play[data-strip]");
    if (!play) return null;
    const query = new URLSearchParams(play.dataset.strip.split("?")[1]);
    const moves = (query.get("moves") ?? "").split(",").filter(Boolean);
    query.delete("moves");
    const scene = play.querySelector(".board > g");
    return { strip: play.dataset.strip, game: query.toString(), moves, scene, shapes: scene?.innerHTML };
  };
  let before = null;

  // What of a board moves from one picture to the next: shapes that are in one of them alone.
  const shapesOf = (scene) =>
    [...scene.children].map((shape) => {
      const box = shape.getBBox();
      const look = [shape.tagName, shape.getAttribute("class"), shape.textContent, box.width, box.height];
      return { shape, look: look.join(" "), x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
  const glide = (scene, shapes, time) => {
    const old = shapesOf(scene);
    scene.innerHTML = shapes;
    const same = (one) => (other) => other.look === one.look && other.x === one.x && other.y === one.y;
    const left = [];
    for (const each of shapesOf(scene)) {
      const at = old.findIndex(same(each));
      if (at < 0) left.push(each);
      else old.splice(at, 1);
    }
    for (const { shape, look, x, y } of left) {
      const far = (each) => Math.hypot(each.x - x, each.y - y);
      const from = old.filter((each) => each.look === look).sort((one, other) => far(one) - far(other))[0];
      if (from) old.splice(old.indexOf(from), 1);
      const start = from
        ? { transform: `translate(${from.x - x}px, ${from.y - y}px)` }
        : { opacity: 0 };
      shape.animate([start, {}], { duration: time, easing: "ease-in-out" });
    }
  };

  const move = async (old, now) => {
    const [from, to] = [old.moves.length, now.moves.length];
    const onward = now.game === old.game && to > from && old.moves.every((mv, at) => mv === now.moves[at]);
    if (!onward || still.matches || !now.scene || !old.shapes) return;
    const board = now.scene.closest(".board");
    now.scene.innerHTML = old.shapes;
    board.classList.add("moving");
    try {
      const response = await fetch(`${now.strip}&at=${from}`);
      const text = response.ok ? await response.text() : "";
      const strip = new DOMParser().parseFromString(text, "text/html");
      const steps = [...strip.querySelectorAll(".strip li")].slice(1);
      const least = steps.filter((step) => step.matches(".whole")).length;
      const slow = Math.min(LONGEST / Math.max(steps.length, 1), 260);
      const fast = Math.min((LONGEST - least * slow) / Math.max(steps.length - least, 1), 130);
      for (const step of steps) {
        if (!now.scene.isConnected) return;
        const time = step.matches(".whole") ? slow : Math.max(fast, 20);
        glide(now.scene, step.querySelector("svg").innerHTML, time);
        sound.tick();
        await new Promise((done) => setTimeout(done, time));
      }
    } finally {
      now.scene.innerHTML = now.shapes;
      board.classList.remove("moving");
    }
  };

  // A short sound for each step, if the reader wants it.
  const sound = {
    on: false,
    context: null,
    tick() {
      if (!this.on) return;
      this.context ??= new AudioContext();
      const { context } = this;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = 520;
      volume.gain.setValueAtTime(0.12, context.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.07);
      tone.connect(volume).connect(context.destination);
      tone.start();
      tone.stop(context.currentTime + 0.08);
    },
    show() {
      const button = document.getElementById("sound");
      if (!button) return;
      button.hidden = false;
      button.setAttribute("aria-pressed", this.on);
      button.classList.toggle("on", this.on);
    },
  };
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#sound")) return;
    sound.on = !sound.on;
    sound.show();
    sound.tick();
  });

  // An answer that is no longer waited for need not be found.
  document.addEventListener("htmx:before:cleanup", (event) => {
    if (event.target.id === "waiting") htmx.trigger(event.target, "htmx:abort");
  });

  const middle = (place) => {
    const box = place.querySelector(".touch").getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // The nearest place in a direction, preferring those straight ahead.
  const neighbour = (from, [right, down]) => {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const place of document.querySelectorAll(".board .place")) {
      const [toX, toY] = middle(place);
      const ahead = (toX - x) * right + (toY - y) * down;
      const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
      if (place !== from && ahead > 1 && ahead + 3 * aside < least) {
        best = place;
        least = ahead + 3 * aside;
      }
    }
    return best;
  };

  const arrows = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const buttons = { n: ["new"], F2: ["new"], u: ["undo"], h: ["hints"], Escape: ["unpick", "stop"] };

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = arrows[event.key];
    if (direction) {
      const from = document.activeElement?.closest?.(".board .place");
      const to = from
        ? neighbour(from, direction)
        : document.querySelector(".board a.place") ?? document.querySelector(".board .place");
      if (to) {
        event.preventDefault();
        to.focus();
      }
      return;
    }
    const button = buttons[event.key]?.map((id) => document.getElementById(id)).find((found) => found);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });
})();
