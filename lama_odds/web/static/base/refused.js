// What is not answered, and why.

import { t } from "./texts.js";

/** What is refused, or that nobody answers. error: as the server writes it. */
export class Refused extends Error {
  constructor(status, error) {
    super(error.message || t.errors.unknown);
    this.status = status;
    this.kind = error.kind;
    this.start = error.start ?? null;
    this.defects = error.defects ?? [];
    this.fields = error.fields ?? [];
  }
}
