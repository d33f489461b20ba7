// Small helpers to make and patch elements. No strings become markup anywhere.

/** Makes an element: properties, `class`, `data-*`/`aria-*` attributes, `on` for listeners. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "class") {
      element.className = value;
    } else if (name in element && !name.includes("-") && name !== "list" && name !== "form") {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an SVG element. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets text only when it differs, so that nothing is drawn again for nothing. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute only when it differs. */
export function setAttr(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

/**
 * Keeps the children of `parent` in step with `items`. `make(item)` gives `{element, update}`.
 * Returns whether children came, went or moved.
 */
export function keyed(parent, parts, items, key, make) {
  let moved = false;
  const wanted = new Set();
  let at = parent.firstElementChild;
  for (const item of items) {
    const id = key(item);
    wanted.add(id);
    let part = parts.get(id);
    if (!part) {
      part = make(item);
      parts.set(id, part);
    }
    part.update(item);
    if (part.element === at) {
      at = at.nextElementSibling;
    } else {
      parent.insertBefore(part.element, at);
      moved = true;
    }
  }
  for (const [id, part] of parts) {
    if (!wanted.has(id)) {
      part.element.remove();
      parts.delete(id);
      moved = true;
    }
  }
  return moved;
}

const ICONS = {
  call: "M12 2 1 21h22L12 2zm-1 7h2v6h-2V9zm0 8h2v2h-2v-2z",
  warning: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1 5h2v7h-2V7zm0 9h2v2h-2v-2z",
  notice: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1 5h2v2h-2V7zm0 4h2v6h-2v-6z",
  decide: "M11 2h2v3h6l3 7a4 4 0 0 1-8 0l2.2-5H13v12h4v2H7v-2h4V7H7.8L10 12a4 4 0 0 1-8 0l3-7h6V2z",
  ok: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.5 14.5-4-4 1.4-1.4 2.6 2.6 5.6-5.6 1.4 1.4-7 7z",
  off: "M3.4 2 2 3.4l5.2 5.2A8 8 0 0 0 4 15h2a6 6 0 0 1 2.7-5L12 13.3V18h2v-2.7l6.6 6.6 1.4-1.4L3.4 2zM12 7c-.6 0-1.2.1-1.8.3l1.7 1.7A6 6 0 0 1 18 15h2a8 8 0 0 0-8-8z",
  board: "M3 3h18v18H3V3zm2 2v4.7h4.7V5H5zm9.3 0v4.7H19V5h-4.7zM9.7 9.7v4.6h4.6V9.7H9.7zM5 14.3V19h4.7v-4.7H5zm9.3 0V19H19v-4.7h-4.7z",
  clock: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 5v4.6l3.7 3.7-1.4 1.4L11 12.4V7h2z",
  flag: "M5 2h2v1h12l-3 5 3 5H7v9H5V2z",
  turn: "M8 5v14l11-7z",
};

/** A small picture beside a word; the word carries the meaning. */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    s("path", { d: ICONS[name], fill: "currentColor", "fill-rule": "evenodd" }));
}
