// Entries of several things at once: dice, hands of a deal, cards with their places, points.

import { node, button, show } from "../base/nodes.js";
import { faceButton } from "../build/face_parts.js";
import { placeButton } from "./tapping.js";
import { t } from "../base/texts.js";

const count = (list, face) => list.filter((each) => each === face).length;

/** Whether the faces can be part of a roll: dice may show some combinations only. */
function fits(taken, rolls) {
  return !rolls || rolls.some((roll) => [...new Set(taken)].every((face) => count([...roll], face) >= count(taken, face)));
}

/** Faces to tap, and those tapped; full(taken) is called when there are enough. */
function picking(choice, how, many, label, may, full) {
  const root = node("div", {});
  const draw = how.game.shape(choice.takes, how.edition);
  const part = { plain: !draw, draw };
  let taken = [];
  const change = (next) => {
    taken = next;
    redraw();
    if (taken.length === many) full(taken);
  };
  const redraw = () => {
    const without = (at) => change(taken.filter((_, i) => i !== at));
    const remove = (face, at) => faceButton(part, face, () => without(at), { "aria-label": t.build.remove(how.game.word(face)), "data-key": `taken.${at}` });
    const add = (face) => faceButton(part, face, () => change([...taken, face]), { "aria-label": t.build.add(how.game.word(face)), "data-key": `add.${face}`, disabled: taken.length >= many || !may([...taken, face]) });
    const palette = node("div", { class: "palette" }, ...choice.options.map(add));
    palette.style.setProperty("--columns", Math.min(7, Math.max(4, choice.options.length)));
    const empty = Array.from({ length: many - taken.length }, () => node("span", { class: "slot" }));
    show(root, node("div", { class: "head" }, label ? node("span", { class: "who", text: label }) : null, node("div", { class: "chosen" }, ...taken.map(remove), ...empty)), palette);
  };
  redraw();
  return root;
}

/** So many dice or cards together. */
export function several(choice, how, done) {
  const joined = (taken) => (taken.some((face) => face.length > 1) ? taken.join(",") : taken.join(""));
  return picking(choice, how, choice.count, "", (taken) => fits(taken, choice.rolls), (taken) => done([joined(taken)]));
}

/** The hands of a deal, one after the other; or cards with their places. */
export function dealing(choice, how, done) {
  return choice.places ? placing(choice, how, done) : hands(choice, how, done);
}

function hands(choice, how, done) {
  const root = node("div", {});
  const found = [];
  const used = (face) => count(found.flat(), face);
  const may = (taken) => taken.every((face) => !choice.copies || used(face) + count(taken, face) <= choice.copies[face]);
  const many = choice.hands ?? 1;
  const next = () => {
    const whose = many === 1 ? how.me : found.length;
    show(root, picking(choice, how, choice.count, t.table.handOf(whose, how.me), may, (taken) => {
      if (found.length + 1 === many) done([...found, taken].map((hand) => hand.join("")));
      else {
        found.push(taken);
        next();
      }
    }));
  };
  next();
  return root;
}

/** Cards that I looked at, each with its place: tap the place, then the card. */
function placing(choice, how, done) {
  const root = node("div", {});
  const found = [];
  const where = () => {
    const free = (place) => choice.places.includes(place) && !found.some((word) => word.startsWith(place));
    const places = [1, 2, 3].flatMap((row) => [1, 2, 3].map((column) => `${row}${column}`));
    show(root, node("p", { text: t.table.where }), node("div", { class: "cells" }, ...places.map((place) => placeButton(place, { ...how, cells: null }, () => what(place), !free(place)))));
  };
  const what = (place) => {
    show(root, picking(choice, how, 1, t.table.place(place), () => true, ([face]) => {
      const word = `${place}=${face}`;
      if (found.length + 1 === choice.count) done([...found, word]);
      else {
        found.push(word);
        where();
      }
    }));
  };
  where();
  return root;
}

/** A number for every player, each within its bounds. */
export function numbering(choice, how, done) {
  const root = node("div", {});
  const bounds = Array.from({ length: choice.count }, (_, seat) => choice.bounds?.[seat] ?? [0, 99]);
  const values = bounds.map(([least, most]) => (least === most ? least : null));
  const redraw = () => {
    const row = (value, seat) => {
      const [least, most] = bounds[seat];
      const name = t.table.player(seat, how.me);
      const by = (change) => button(change < 0 ? `−${-change}` : `+${change}`, () => {
        values[seat] = Math.min(most, Math.max(least, (values[seat] ?? 0) + change));
        redraw();
      }, { disabled: least === most, "aria-label": `${name}: ${change}`, "data-key": `number.${seat}.${change}` });
      return node("div", { class: "head" }, node("span", { class: "who", text: name }), node("div", { class: "steps" }, by(-5), by(-1), node("b", { class: "count", text: value === null ? "–" : String(value) }), by(1), by(5)));
    };
    show(root, ...values.map(row), button(t.table.ok, () => done(values.map(String)), { class: "main", "data-key": "ok", disabled: values.includes(null) }));
  };
  redraw();
  return root;
}
