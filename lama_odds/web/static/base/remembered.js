// Which boxes were chosen last: kept in this browser, where it allows that.

const NAME = "lama-odds.box";
const GAME = "lama";
const COMMON = "amigo"; // the edition that most own
const PLAYERS = 3;

/** What is kept: {rules, players, boxes: {game: rules}}. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? {};
  } catch {
    return {};
  }
}

/** The box of a game to begin with: the one used last, else the common one. */
export function boxOf(games, name) {
  const all = (games.find((game) => game.name === name) ?? games[0]).editions.map((edition) => edition.id);
  const last = kept().boxes?.[name];
  if (typeof last === "string" && all.includes(last.split("+")[0])) return last;
  return all.find((id) => id.endsWith(`/${COMMON}`)) ?? all[0];
}

/** The rule set and the number of players to begin with. */
export function remembered(games) {
  const { rules, players } = kept();
  const name = String(rules ?? GAME).split("/")[0];
  return { rules: boxOf(games, name), players: Number(players) || PLAYERS };
}

export function remember(rules, players) {
  try {
    const boxes = { ...kept().boxes, [rules.split("/")[0]]: rules };
    localStorage.setItem(NAME, JSON.stringify({ rules, players, boxes }));
  } catch {
    // a browser that keeps nothing
  }
}
