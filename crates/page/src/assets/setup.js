// A position is set up on the board: pieces from a tray, put and dragged; the text of the position follows, and what is
// wrong with it is said at once.
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const places = () => [...document.querySelectorAll(".board .place")];

  // The rows of the position, what comes after them, and the letters of pieces; null if it is not written in rows.
  const read = () => {
    const field = byId("field-set");
    const button = byId("setup");
    if (!field || !button) return null;
    const [rows, ...rest] = field.value.split(" ");
    const cells = [...rows.replaceAll("/", "")];
    if (cells.length !== places().length || cells.length < 2) return null;
    const codes = [...document.querySelectorAll("#texts p.dim code")].map((code) => code.textContent);
    const named = codes.filter((code) => /^\p{L}$/u.test(code));
    const shown = [rows, ...codes.filter((code) => code.includes("/")).map((code) => code.split(" ")[0])];
    const letters = new Set([...named, ...shown.join("").replaceAll(/[^\p{L}]/gu, "")]);
    const widths = rows.split("/").map((row) => [...row].length);
    return { cells, rest, widths, letters: [...letters], sides: button.dataset.sides.split(" ") };
  };

  let state = null;
  let chosen = ".";
  let from = null;

  const draw = () => {
    for (const mark of document.querySelectorAll(".set")) mark.remove();
    places().forEach((place, at) => {
      const area = place.querySelector(".touch");
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(area.getAttribute(name)));
      const mark = document.createElementNS("http://www.w3.org/2000/svg", "text");
      mark.setAttribute("class", "set");
      mark.setAttribute("x", x + width / 2);
      mark.setAttribute("y", y + height * 0.68);
      mark.setAttribute("font-size", Math.min(width, height) * 0.5);
      mark.setAttribute("text-anchor", "middle");
      mark.textContent = state.cells[at] === "." ? "·" : state.cells[at];
      place.append(mark);
    });
    for (const button of document.querySelectorAll("#tray [data-piece]"))
      button.setAttribute("aria-pressed", String(button.dataset.piece === chosen));
    for (const button of document.querySelectorAll("#tray [data-side]"))
      button.setAttribute("aria-pressed", String(button.dataset.side === state.rest.at(-1)));
  };

  // Writes the text, and asks what is wrong with it.
  let asked = 0;
  let fits = true;
  const check = async () => {
    let at = 0;
    const rows = state.widths.map((width) => state.cells.slice(at, (at += width)).join(""));
    const field = byId("field-set");
    field.value = [rows.join("/"), ...state.rest].join(" ");
    const number = ++asked;
    const query = new URLSearchParams(new FormData(field.form));
    const answer = await fetch(`play.html?${query}`).then((response) => response.text()).catch(() => "");
    if (number !== asked || !state) return;
    const problem = new DOMParser().parseFromString(answer, "text/html").getElementById("set-problem");
    fits = !problem;
    byId("set-check").textContent = problem?.textContent ?? "This is a position of the game.";
  };

  const end = () => {
    state = null;
    document.body.classList.remove("setting");
    for (const mark of document.querySelectorAll(".set")) mark.remove();
    const tray = byId("tray");
    if (tray) tray.replaceChildren();
  };

  const begin = () => {
    state = read();
    if (!state) return;
    chosen = state.letters[0] ?? ".";
    document.body.classList.add("setting");
    const button = (words, data) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = words;
      Object.assign(made.dataset, data);
      return made;
    };
    const said = document.createElement("p");
    said.id = "set-check";
    said.setAttribute("role", "status");
    const last = state.rest.length - 1;
    const mover = state.sides.map((side) => button(`${side} to move`, { side }));
    byId("tray").replaceChildren(
      ...state.letters.map((letter) => button(letter, { piece: letter })),
      button("empty", { piece: "." }),
      button("clear all", { all: "." }),
      ...(state.sides.includes(state.rest[last]) ? mover : []),
      button("Done", { done: "" }),
      button("Cancel", { cancel: "" }),
      said,
    );
    draw();
    check();
  };

  const numberOf = (target) => {
    const place = target.closest?.(".board .place");
    return place ? places().indexOf(place) : -1;
  };
  document.addEventListener("pointerdown", (event) => {
    from = state ? numberOf(event.target) : null;
  });
  // A click puts the chosen piece; a piece that is dragged goes to where it is dropped.
  document.addEventListener("pointerup", (event) => {
    const to = state ? numberOf(document.elementFromPoint(event.clientX, event.clientY) ?? event.target) : -1;
    if (to < 0 || from === null || from < 0) return;
    if (to === from) state.cells[to] = state.cells[to] === chosen ? "." : chosen;
    else [state.cells[to], state.cells[from]] = [state.cells[from], "."];
    draw();
    check();
  });
  document.addEventListener("click", (event) => {
    if (event.target.id === "setup") begin();
    if (!state) return;
    if (event.target.closest?.(".board")) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const { piece, all, side, done, cancel } = event.target.closest?.("#tray button")?.dataset ?? {};
    if (piece !== undefined) chosen = piece;
    if (all !== undefined) state.cells.fill(".");
    if (side !== undefined) state.rest[state.rest.length - 1] = side;
    // What is wrong stands below; the pieces stay.
    if (done !== undefined && !fits) return;
    if (done !== undefined || cancel !== undefined) {
      end();
      if (done !== undefined) byId("field-set").form.requestSubmit();
      return;
    }
    if (piece !== undefined) draw();
    else if (all !== undefined || side !== undefined) {
      draw();
      check();
    }
  }, true);
  const show = () => {
    const button = byId("setup");
    if (button) button.hidden = read() === null;
    if (state && !byId("tray")?.childElementCount) end();
  };
  for (const whole of ["DOMContentLoaded", "foregone:shown", "htmx:after:settle"]) document.addEventListener(whole, show);
})();
