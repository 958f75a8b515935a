// Builds nodes of the page, HTML and SVG; text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. props: attributes; `on` has listeners, `text` the text. */
export function node(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** An SVG element, in the same way. */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

/** A button that does something. */
export function button(text, click, props = {}) {
  return node("button", { type: "button", text, on: { click }, ...props });
}

/** Replaces what stands in an element; keeps the focus on the element with the same data-key. */
export function show(parent, ...children) {
  const active = document.activeElement;
  const key = parent.contains(active) ? active.dataset.key : null;
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, heard] of Object.entries(value)) element.addEventListener(event, heard);
    } else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
