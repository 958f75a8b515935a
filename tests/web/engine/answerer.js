// Stands in for the engine in tests of the page: it answers what was recorded of the server, and nothing else.

const TABLES = { dice: "the tables of Lama Dice" };
const PAUSE = 30; // milliseconds between two events, so that a question can be given up
const recorded = fetch(new URL("recorded.json", import.meta.url)).then((reply) => reply.json());
const there = new Set();
const givenUp = new Set();
let language = null;

/** The tables of a game, checked; throws if they are not there. */
async function load(game) {
  if (!TABLES[game] || there.has(game)) return;
  self.postMessage({ working: "tables" });
  const reply = await fetch(new URL(`tables/${game}.txt`, import.meta.url)).catch(() => null);
  const text = reply?.ok ? await reply.text() : "";
  self.postMessage({ working: "" });
  if (text !== TABLES[game]) {
    self.postMessage({ problem: `no tables of ${game}` });
    throw { status: 0, error: { kind: "away", message: `no tables of ${game}` } };
  }
  there.add(game);
}

/** What was recorded for a question. */
async function reply(method, path, body) {
  if (path === "/api/asked") return { reply: { givenUp: [...givenUp], language } };
  if (path === "/api/elsewhere") return { reply: await fetch("https://example.com/").then((found) => found.status, (error) => error.name) };
  const [place, query] = path.split("?");
  const of = query ? Object.fromEntries(new URLSearchParams(query)) : body ?? {};
  await load((of.rules ?? "").split("/")[0]);
  const found = (await recorded).find((each) => each.method === method && each.path === place && Object.entries(each.of).every(([name, value]) => of[name] === value));
  if (!found) throw { status: 422, error: { kind: "limits", message: `not recorded: ${method} ${path} ${JSON.stringify(body)}` } };
  if (found.failed) throw found.failed;
  return found;
}

self.addEventListener("message", async ({ data }) => {
  if (data.language) language = data.language;
  if (data.cancel) givenUp.add(data.id);
  if (!data.method) return;
  const { id, method, path, body } = data;
  try {
    const found = await reply(method, path, body);
    for (const [event, each] of found.events ?? []) {
      if (givenUp.has(id)) return;
      self.postMessage({ id, event, data: each });
      await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    }
    if (!found.events) self.postMessage({ id, reply: found.reply });
  } catch (failed) {
    self.postMessage({ id, ...failed });
  }
});
