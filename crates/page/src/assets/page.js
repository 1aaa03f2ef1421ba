// What links and forms alone cannot do: clicks on the board without a new page, keys, the title,
// and giving up what nobody waits for any longer.
(() => {
  "use strict";

  // Links inside pictures are not HTML's, so they are followed here as the others are.
  const follow = (href) =>
    htmx.ajax("GET", href, { target: "#page", select: "#page", swap: "outerHTML", push: "true" });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("svg a");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (link && plain) {
      event.preventDefault();
      follow(link.getAttribute("href"));
    }
  });

  // The place that had the focus keeps it when the board is drawn anew.
  let focused = null;
  document.addEventListener("focusin", (event) => {
    focused = event.target.closest?.("[id]")?.id ?? null;
  });

  // What a person has opened or typed stays as it is.
  let kept = { open: [], typed: [] };
  const keep = () => {
    const open = [...document.querySelectorAll("details[id][open]")].map((each) => each.id);
    const changed = (field) =>
      field.type === "checkbox"
        ? field.checked !== field.defaultChecked
        : field.matches("select")
          ? !field.selectedOptions[0]?.defaultSelected
          : field.value !== field.defaultValue;
    const fields = document.querySelectorAll("#page input[id], #page select[id]");
    const typed = [...fields].filter((field) => field.form !== sent && changed(field));
    kept = { open, typed: typed.map((each) => [each.id, each.value, each.checked]) };
  };
  const restore = () => {
    for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
    for (const [id, value, checked] of kept.typed) {
      const field = document.getElementById(id);
      if (field) Object.assign(field, field.type === "checkbox" ? { checked } : { value });
    }
  };
  // A form that was sent has done its work.
  let sent = null;
  document.addEventListener("submit", (event) => (sent = event.target), true);
  document.addEventListener("htmx:before:swap", keep);

  const settle = () => {
    const page = document.getElementById("page");
    if (page?.dataset.title) document.title = page.dataset.title;
    if (focused && document.activeElement === document.body) {
      document.getElementById(focused)?.focus({ preventScroll: true });
    }
  };
  document.addEventListener("htmx:after:swap", () => {
    restore();
    settle();
  });
  document.addEventListener("htmx:after:settle", settle);

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
  const buttons = { n: "new", F2: "new", u: "undo", h: "hints", Escape: "stop" };

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
    const button = document.getElementById(buttons[event.key]);
    if (button) {
      event.preventDefault();
      button.click();
    }
  });
})();
