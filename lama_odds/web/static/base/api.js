// Questions and their answers. The page itself says who answers: the server that sent it, or this phone.

import { t } from "./texts.js";
import { Refused } from "./refused.js";
import { phone } from "./phone.js";
import { server } from "./server.js";

export { Refused };

/** Whether this phone answers, without a server. */
export const alone = document.querySelector('meta[name="answers"]')?.content === "phone";
const answerer = alone ? phone : server;
if (alone) phone.begin();

/** Lets this phone get ready for questions about a rule set; a server is ready. */
export const prepare = (rules, players) => alone && phone.prepare(rules, players);

/** Gives the answer to a question such as `/api/rules`; throws Refused, also where nobody answers. */
export const get = (path) => answerer.get(path);

/** The same with a body; an AbortSignal gives the question up. */
export const post = (path, body, signal) => answerer.post(path, body, signal);

/** Hands every event of a stream to `heard(event, data)`; throws Refused for `failed`, and if no answer comes. */
export async function stream(path, heard, signal) {
  let ended = false;
  await answerer.stream(path, (event, data) => {
    ended = ended || event === "answer";
    heard(event, data);
  }, signal);
  if (!ended) throw new Refused(0, { kind: "away", message: t.errors.cut });
}
