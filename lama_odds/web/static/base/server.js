// Questions to the server: JSON, and answers that come as a stream of events.

import { language, t } from "./texts.js";
import { Refused } from "./refused.js";

export const server = {
  get: (path) => asked(path, {}),

  post(path, body, signal) {
    const headers = { "Content-Type": "application/json" };
    return asked(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  },

  async stream(path, heard, signal) {
    const reply = await reached(path, { signal, headers: { Accept: "text/event-stream" } });
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop();
      for (const block of blocks) {
        const { event, data } = parsed(block);
        if (!data) continue;
        const found = JSON.parse(data);
        if (event === "failed") {
          const error = found.error ?? found;
          throw new Refused(error.kind === "refused" ? 429 : 422, error);
        }
        heard(event, found);
      }
    }
  },
};

async function asked(path, options) {
  const reply = await reached(path, options);
  return reply.json();
}

/** An address with the language of the page: what the server says is in it. */
const spoken = (path) => `${path}${path.includes("?") ? "&" : "?"}language=${language}`;

/** The reply to a request; throws Refused, also where no server is reached. */
async function reached(path, options) {
  let reply;
  try {
    reply = await fetch(spoken(path), options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, { kind: "away", message: t.errors.away });
  }
  if (reply.ok) return reply;
  if (reply.status === 401) throw new Refused(401, { kind: "refused", message: t.errors.token });
  const found = await reply.json().catch(() => ({}));
  const refused = new Refused(reply.status, found.error ?? {});
  refused.after = Number(reply.headers.get("Retry-After")) || null;
  throw refused;
}

function parsed(block) {
  const found = { event: "message", data: "" };
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) found.event = line.slice(6).trim();
    if (line.startsWith("data:")) found.data += line.slice(5).trimStart();
  }
  return found;
}
