// A game without a module of its own: its position is entered as text.

import { t } from "../base/texts.js";

export const game = {
  name: "",
  face: null,
  holds: [],
  shape: () => null,
  word: (value) => value,
  start: () => ({ text: "", others: [] }),
  other: () => ({}),
  fromText: (position) => ({ text: position, others: [] }),
  toText: (state) => state.text,
  missing: () => null,
  parts: (state) => [
    { key: "text", kind: "text", label: t.build.text, value: state.text, put: (value) => { state.text = value; } },
  ],
};
