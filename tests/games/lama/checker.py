"""A plain reading of the card rules that checks records line by line, written from the rules."""

from collections import Counter
from types import SimpleNamespace

from lama_odds.games.lama.rules.ruleset import parse_rules
from tests.games.cases import product_record, rounds_of, seats_of
from tests.games.lama.table import cards_of

ORDER = "123456L"


def fits(card, top):
    """Say whether a card goes on another: same value, next one, the pink llama anywhere."""
    here = "L" if top == "P" else top[0]
    return card == "P" or card[0] in (here, (ORDER + "1")[ORDER.index(here) + 1])


def purse(rules, score):
    """List the tokens of a player, the best first."""
    tokens = []
    for worth in ([rules.pink] if rules.twenty else []) + [rules.black, 1]:
        while score >= worth:
            tokens.append(worth)
            score -= worth
    return tokens


def cost(rules, hand):
    """Add up what a hand costs: each kind once."""
    total = sum(rules.points[int(value) - 1] for value in {card[0] for card in hand} - {"L", "P"})
    llamas = hand.count("L")
    if "P" in hand:
        return total + rules.pink_points + rules.llama_points * (rules.pink_adds and llamas > 0)
    return total + rules.llama_points * (llamas if rules.llama_each else min(llamas, 1))


class Checked:
    """A round of a record as checked; `seen` counts what happened in it."""

    def __init__(self, rules, lines, scores, pot, seen):
        self.rules, self.scores, self.pot, self.seen = rules, list(scores), list(pot), seen
        words = {line[0]: line[1:] for line in lines if not line[0].isdigit()}
        assert words["scores"] == [str(score) for score in scores]
        if rules.drama:
            assert words["pot"] == ([str(token) for token in sorted(pot)] or ["-"])
        self.hands = [cards_of(hand) for hand in words["deal"]]
        self.top = words["top"][0]
        assert all(len(hand) == rules.dealt for hand in self.hands)
        copies = {"L": rules.llamas, "P": rules.pink_llamas}
        for value in "123456":
            copies |= {value: rules.copies, value + "+": rules.plus}
        self.pile = Counter(copies)
        for hand in [*self.hands, [self.top]]:
            self.pile.subtract(hand)
        assert min(self.pile.values()) >= 0
        self.out, self.running, self.ended = [], False, None
        self.seat = self.actor = self.first = int(words["round"][2])
        self.again = self.emptied = False  # a plus card just played; the pot taken since then
        seen["opening plus"] += self.top.endswith("+")
        for line in lines:
            if line[0].isdigit():
                self.turn(line)
        assert words["end"] == [self.ended]
        self.penalties = [
            cost(rules, hand) + rules.quit_cost * (seat in self.out)
            for seat, hand in enumerate(self.hands)
        ]
        assert words["penalties"] == [str(points) for points in self.penalties]
        self.after = [a + b for a, b in zip(self.scores, self.penalties, strict=True)]
        seen[f"end {self.ended}"] += 1

    def turn(self, line):
        """Check one action and carry it out."""
        assert self.ended is None
        seat = self.actor = int(line[0])
        assert seat == self.seat
        action, card = line[1], line[2] if line[1] != "quit" else None
        rest = line[2:] if card is None else line[3:]
        alone = len(self.out) == len(self.hands) - 1
        self.seen[f"{action} alone"] += alone
        self.seen["pile empty"] += not any(self.pile.values())
        self.seen[f"{action} after plus"] += self.again
        pays = action == "play" and (card == "L" or (card == "P" and self.rules.pink_drama))
        pays = pays and self.rules.drama
        taken = self.face_drama(seat, alone, pays)
        token, again = 0, False
        if action == "play":
            assert fits(card, self.top)
            self.seen[f"{card} on {self.top}"] += 1
            self.hands[seat].remove(card)
            self.top = card
            token = self.pay(seat) if pays else 0
            again = card.endswith("+")
        elif action == "draw":
            assert not alone
            assert self.pile[card] > 0
            self.pile[card] -= 1
            self.hands[seat].append(card)
        else:
            self.out.append(seat)
        assert rest == (["pays", str(token)] if token else ["takes", str(taken)] if taken else [])
        if not self.hands[seat]:
            returns = {"always": True, "never": False, "llama": card in ("L", "P")}
            held = purse(self.rules, self.scores[seat]) if returns[self.rules.out_token] else []
            returned = (held or [0])[0]
            self.scores[seat] -= returned
            self.seen[f"returns {returned}"] += 1
            self.seen[f"out with {card}"] += 1
            self.seen["out after taking"] += taken > 0
            self.seen["out with pay"] += token > 0
            self.ended = "out"
        elif len(self.out) == len(self.hands):
            self.ended = "quit"
        while not again and self.ended is None:
            self.seat = (self.seat + 1) % len(self.hands)
            if self.seat not in self.out:
                break
        self.again = again
        self.emptied &= again

    def face_drama(self, seat, alone, pays):
        """Take the pot while the drama runs, unless by a llama or alone; give the sum."""
        if not self.running:
            return 0
        self.running = False
        if alone:
            self.seen["nobody takes"] += 1
            return 0
        if pays:
            self.seen["passed on"] += 1
            return 0
        taken = sum(self.pot)
        self.scores[seat] += taken
        self.pot = []
        self.seen["taken"] += 1
        self.emptied = True
        return taken

    def pay(self, seat):
        """Put the least token on the pot; the drama runs from so many tokens on."""
        tokens = purse(self.rules, self.scores[seat]) or [0]
        token = tokens[-1]
        self.scores[seat] -= token
        self.pot += [token] if token else []
        self.seen[f"pays {token}"] += 1
        self.running = len(self.pot) >= self.rules.drama_tokens
        self.seen["runs"] += self.running
        self.seen["runs unpaid"] += self.running and not token
        self.seen["pays 10 beside 20"] += token == 10 and max(tokens) == 20
        self.seen["into the emptied pot"] += self.emptied
        return token


def check(text):
    """Check a whole record; count what happened."""
    lines = text.splitlines()
    assert lines[0] == "lama-odds record 1"
    rules_id = lines[1].split()[1]
    rules = SimpleNamespace(**parse_rules(rules_id).values)
    seats = int(lines[2].split()[1])
    seen, scores, pot, first = Counter(), [0] * seats, [], 0
    for number, round_lines in enumerate(rounds_of(text)):
        assert max(scores) < rules.target
        assert round_lines[0] == ["round", str(number), "first", str(first)]
        seen["carried"] += number > 0 and len(pot) > 0
        seen["carried, could run"] += number > 0 and len(pot) >= rules.drama_tokens
        played = Checked(rules, round_lines, scores, pot, seen)
        scores, pot = played.after, played.pot
        first = (played.first + 1) % seats if rules.starter == "rotate" else played.actor
    if lines[-1].startswith("final"):
        assert lines[-1] == f"final {' '.join(map(str, scores))}"
        assert max(scores) >= rules.target
    return seen


def seen_in(rules_id, mix, players=range(2, 7), games=8, rounds=False):
    """Check games of the product at tables of several sizes; count what happened."""
    total = Counter()
    for seats in players:
        for game in range(games):
            total += check(product_record(rules_id, seats_of(mix, seats), 5, game, rounds))
    return total
