// Which box was chosen last: kept in this browser, where it allows that.

const NAME = "lama-odds.box";
const COMMON = "lama/amigo";
const PLAYERS = 3;

/** The rule set and the number of players to begin with. */
export function remembered(games) {
  const all = games.flatMap((game) => game.editions).map((edition) => edition.id);
  const usual = all.includes(COMMON) ? COMMON : all[0];
  try {
    const { rules = usual, players = PLAYERS } = JSON.parse(localStorage.getItem(NAME)) ?? {};
    return { rules: all.includes(rules.split("+")[0]) ? rules : usual, players };
  } catch {
    return { rules: usual, players: PLAYERS };
  }
}

export function remember(rules, players) {
  try {
    localStorage.setItem(NAME, JSON.stringify({ rules, players }));
  } catch {
    // a browser that keeps nothing
  }
}
