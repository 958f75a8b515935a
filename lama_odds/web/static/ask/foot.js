// Below a position: the same as text, a link to it, and a fresh start.

import { node, button } from "../base/nodes.js";
import { languageChooser } from "../base/languages.js";
import { t } from "../base/texts.js";

const SHOWN = 2500; // milliseconds for which a button says that it is done

export function foot(text, fresh) {
  const props = { class: "notation", role: "textbox", "aria-readonly": "true", "aria-label": t.ask.notation };
  return node("div", { class: "foot" },
    text ? node("code", { ...props, text }) : null,
    node("div", { class: "choices" }, button(navigator.share ? t.ask.share : t.ask.copy, share, { "data-key": "copy" }), button(t.setup.fresh, fresh, { "data-key": "fresh" })),
    languageChooser());
}

/** Hands the address on, in the way that the device has. */
async function share(event) {
  const target = event.currentTarget;
  const before = target.textContent;
  try {
    if (navigator.share) await navigator.share({ url: location.href });
    else if (navigator.clipboard) await navigator.clipboard.writeText(location.href);
    else {
      window.prompt(t.ask.copyThis, location.href);
      return;
    }
    target.textContent = navigator.share ? before : t.ask.copied;
    setTimeout(() => { target.textContent = before; }, SHOWN);
  } catch (error) {
    if (error.name !== "AbortError") window.prompt(t.ask.copyThis, location.href);
  }
}
