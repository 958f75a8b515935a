// A past entry is entered again, a tap at a time, in the game as it stood before it.

import { get } from "../base/api.js";

const OPEN_TURN = /\b(kept|rolled|drawn|taken)=/; // words of a position in the middle of a turn

/** The entry of a game that is mended. entry: {index, seat, text}. begun: what stands of the new one. */
export class Mending {
  constructor(path, entry) {
    Object.assign(this, { path, entry });
    this.begun = "";
  }

  /** The game before the entry, after what stands of the new one. */
  async load() {
    const query = this.begun ? `?begun=${encodeURIComponent(this.begun)}` : "";
    return get(`${this.path}/entries/${this.entry.index}${query}`);
  }

  /** Adds what was tapped; gives the game to go on with, null once the entry is whole. */
  async add(words) {
    const before = this.begun;
    this.begun = [before, words].filter(Boolean).join(" ");
    try {
      const found = await this.load();
      const turn = this.entry.seat !== null && !found.over && found.awaits === "turn" && found.seat === this.entry.seat;
      return turn && OPEN_TURN.test(found.lies?.position ?? "") ? found : null;
    } catch (error) {
      this.begun = before;
      throw error;
    }
  }
}
