// Rules are coloured while somebody writes them, and the word at the cursor is explained: by the grammar for editors
// and by the tables of the document, which come as they are.
(() => {
  "use strict";

  // What TextMate calls a grammar, as far as ours goes: patterns, captures, and regions of whole lines.
  const compiled = ({ patterns }) => {
    const regex = (source) => new RegExp(source, "dgu");
    return patterns.map((pattern) => ({
      ...pattern,
      first: regex(pattern.match ?? pattern.begin),
      end: pattern.end && regex(pattern.end),
      patterns: pattern.patterns && compiled(pattern),
    }));
  };
  const matched = (regex, line, from) => {
    regex.lastIndex = from;
    return regex.exec(line);
  };

  // The coloured parts of a text: where each begins and ends, and the first word of its scope.
  const parts = (grammar, text) => {
    const all = [];
    let region = null;
    let start = 0;
    const add = (from, to, scope) => scope && to > from && all.push([start + from, start + to, scope.split(".")[0]]);
    for (const line of text.split("\n")) {
      if (region && matched(region.end, line, 0)) region = null;
      for (let at = 0; at < line.length; ) {
        let best = null;
        for (const pattern of region?.patterns ?? grammar) {
          const found = matched(pattern.first, line, at);
          if (found?.[0] && (!best || found.index < best.found.index)) best = { found, pattern };
        }
        const { found, pattern } = best ?? { found: { index: line.length } };
        add(at, found.index, region?.contentName);
        if (!pattern) break;
        at = found.index + found[0].length;
        const captures = Object.entries(pattern.captures ?? pattern.beginCaptures ?? { 0: { name: pattern.name } });
        for (const [number, { name }] of captures) add(...(found.indices[number] ?? [0, 0]), name);
        if (pattern.end) region = pattern;
      }
      start += line.length + 1;
    }
    return all;
  };

  // What the document says of words: the rows of its tables, and the examples.
  const explained = (text) => {
    const code = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code.replaceAll("\\|", "|"));
    const rows = [...text.matchAll(/^\| (.*`.*) \| (.*) \|$/gm)].map(([, form, meaning]) => ({ form, meaning }));
    const blocks = (kind) => [...text.matchAll(new RegExp("^```" + kind + "\n(.*?)^```", "gmsu"))].flatMap(([, block]) => block.split("\n"));
    const examples = [...blocks("words"), ...blocks("ring"), ...blocks("rules")];
    const has = (code, word) => new RegExp(`(?<![\\p{L}_])${word}(?![\\p{L}_])`, "u").test(code);
    return (word) => {
      const by = (test) => rows.find(({ form, meaning }) => test(code(form), code(meaning)));
      const begins = (form) => form.startsWith(word) && has(form, word);
      const holds = (form) => has(form, word);
      const row =
        by((forms) => forms.some(begins)) ?? by((forms) => forms.some(holds)) ?? by((_, meanings) => meanings.some(holds));
      const example = examples.find((line) => has(line, word))?.trim();
      return row && { ...row, example };
    };
  };

  const parsed = new Map();
  const get = (address, read) => {
    const text = (answer) => (answer.ok ? answer.text() : Promise.reject(answer.status));
    if (!parsed.has(address)) parsed.set(address, fetch(address).then(text).then(read));
    // What did not come is asked for again.
    return parsed.get(address).catch((error) => parsed.delete(address) && Promise.reject(error));
  };

  const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const marked = (text) => escaped(text).replaceAll("\\|", "|").replaceAll(/`([^`]+)`/g, "<code>$1</code>");

  // Explains the word at the cursor of the editor that is there.
  let say = () => {};

  const begin = async () => {
    const field = document.getElementById("text");
    const help = document.getElementById("help");
    if (!field || !help || field.dataset.coloured) return;
    field.dataset.coloured = "yes";
    const { grammar: grammarAt, document: documentAt } = help.dataset;
    const [grammar, explain] = await Promise.all([
      get(grammarAt, (text) => compiled(JSON.parse(text))),
      get(documentAt, explained),
    ]).catch(() => []);
    if (!grammar || !field.isConnected) {
      delete field.dataset.coloured;
      return;
    }

    const paper = document.createElement("pre");
    paper.setAttribute("aria-hidden", "true");
    field.before(paper);
    field.parentElement.classList.add("coloured");
    let words = [];
    const colour = () => {
      words = parts(grammar, field.value);
      let at = 0;
      const pieces = words.map(([from, to, scope]) => {
        const plain = field.value.slice(at, from);
        at = to;
        return `${escaped(plain)}<span class="is-${scope}">${escaped(field.value.slice(from, to))}</span>`;
      });
      const lines = `${pieces.join("")}${escaped(field.value.slice(at))}`.split("\n");
      // A last line without letters has its height, too.
      paper.innerHTML = `${lines.map((line) => `<span class="row"></span>${line}`).join("\n")} `;
    };
    const usual = help.innerHTML;
    say = () => {
      if (document.activeElement !== field) return;
      const cursor = field.selectionStart;
      // Names of one's own are in no document.
      const known = ([from, to, scope]) => from <= cursor && cursor <= to && /keyword|constant|support/.test(scope);
      const [from, to] = words.find(known) ?? [0, 0];
      const word = field.value.slice(from, to);
      const found = /^\p{L}+$/u.test(word) && explain(word);
      const example = found && found.example ? `<br><span class="dim">Example:</span> <code>${escaped(found.example)}</code>` : "";
      help.innerHTML = found ? `${marked(found.form)}: ${marked(found.meaning)}${example}` : usual;
    };
    colour();
    field.addEventListener("input", colour);
    field.addEventListener("input", () => say());
  };
  document.addEventListener("selectionchange", () => say());
  // Without a server, a page is there when the module has made it.
  for (const whole of ["DOMContentLoaded", "foregone:shown", "htmx:after:settle"]) document.addEventListener(whole, begin);
})();
