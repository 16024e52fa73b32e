"""English sentences about invented things, from a word list per topic and a small grammar."""

from __future__ import annotations

import re
from random import Random

from sitegrain.demo.writer import Topic, Writer, pick, some


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(","))


TOPICS: dict[str, Topic] = {
    "harbour": Topic(
        _words(
            "ferry, trawler, mooring, breakwater, tide table, crane, pilot boat, dredger, lighthouse, slipway, "
            "container, fish auction, net loft, harbour wall, buoy, cargo manifest, tugboat, sandbank, quay, "
            "chandlery, oyster bed, winch, customs shed, gangway, anchor chain, sluice gate, herring fleet, dry dock"
        ),
        _words("rusted, seaworthy, crowded, salt-stained, half-built, narrow, tidal, overdue, retired, noisy, deep"),
        _words(
            "repaired, inspected, towed, measured, unloaded, repainted, closed, replaced, surveyed, insured, "
            "blocked, anchored, rebuilt, leased"
        ),
        _words("Harbour Office, Pilots' Guild, Dockers' Union, Tide Institute, Ferry Company, Coast Watch"),
        _words("tonnes of cargo, metres of quay, crossings a week, berths, knots of wind, crates of mackerel"),
    ),
    "science": Topic(
        _words(
            "comet, moss, bat colony, telescope, soil sample, seismograph, lichen, pollen grain, spectrum, glacier, "
            "beetle, magnetic field, fossil, orbit, microscope, enzyme, seed bank, weather balloon, plankton bloom, "
            "isotope, owl pellet, rain gauge, crystal, meteorite, tree ring, peat core, antenna, eclipse"
        ),
        _words("faint, nocturnal, ancient, luminous, unexpected, microscopic, migratory, stable, frozen, acidic"),
        _words(
            "observed, catalogued, measured, photographed, dated, compared, sequenced, weighed, simulated, "
            "calibrated, recorded, predicted, isolated"
        ),
        _words("Hillcrest Observatory, Institute of Mosses, Bat Survey, Polar Society, Faculty of Stones"),
        _words("specimens, light years, degrees, field notebooks, nights of observation, micrograms of dust"),
    ),
    "kitchen": Topic(
        _words(
            "chestnut soup, rye loaf, sourdough starter, smoked eel, quince jelly, barley risotto, copper pan, "
            "pickled beet, saffron bun, oven, walnut tart, goat cheese, fennel salad, bone broth, plum dumpling, "
            "mustard glaze, lemon curd, turnip gratin, cider vinegar, rolling pin, mushroom pie, honey cake, "
            "parsley oil, stockpot, caraway biscuit, leek fritter"
        ),
        _words("buttery, slow-cooked, crisp, fragrant, bitter, golden, peppery, tender, floury, caramelised, tart"),
        _words(
            "simmered, kneaded, tasted, seasoned, roasted, chilled, folded, whisked, glazed, served, reheated, "
            "steamed, strained"
        ),
        _words("Bakers' Table, Market Kitchen, Cookery School, Old Mill Canteen, Supper Club"),
        _words("spoons of flour, minutes, servings, cloves of garlic, grams of butter, jars"),
    ),
    "machines": Topic(
        _words(
            "parser, cache, queue, scheduler, checksum, pointer, compiler, hash table, log file, keyboard, terminal, "
            "backup tape, firmware, race condition, regular expression, socket, database index, thread pool, "
            "test suite, bitmap, garbage collector, modem, stack trace, version number, printer driver, shell script"
        ),
        _words("idempotent, brittle, lazy, recursive, undocumented, concurrent, compressed, legacy, portable, atomic"),
        _words(
            "debugged, replaced, benchmarked, patched, compiled, deleted, profiled, restored, refactored, encrypted, "
            "deployed, simplified"
        ),
        _words("Punch Card Club, Byte Workshop, Municipal Data Centre, Terminal Society, Open Firmware Group"),
        _words("lines of code, milliseconds, megabytes, open tickets, test cases, reboots"),
    ),
    "town": Topic(
        _words(
            "tram line, town hall, water meter, bus shelter, street lamp, budget, library, bridge toll, school roof, "
            "market square, parking permit, housing plan, fountain, sewer, by-law, referendum, cycle lane, archive, "
            "fire station, clock tower, playground, zoning map, petition, night bus, allotment, recycling yard"
        ),
        _words("costly, popular, disputed, temporary, public, delayed, affordable, crumbling, municipal, generous"),
        _words(
            "approved, rejected, debated, postponed, funded, audited, renamed, opened, protested, demolished, "
            "announced, amended"
        ),
        _words("Town Council, Tenants' League, Tram Board, Budget Committee, Library Friends, Heritage Panel"),
        _words("votes, crowns a year, households, signatures, streets, public hearings"),
    ),
    "sport": Topic(
        _words(
            "rowing eight, coxswain, goalkeeper, relay team, penalty, training camp, scoreboard, regatta, hurdle, "
            "midfielder, trophy, referee, stopwatch, fencing hall, marathon, water polo side, sculling boat, "
            "pole vault, dressing room, league table, second half, chess board, javelin, sprint final, ice rink"
        ),
        _words("breathless, unbeaten, injured, veteran, tactical, muddy, goalless, record-breaking, nervous, fast"),
        _words("won, lost, trained, overhauled, timed, coached, equalised, cheered, tackled, substituted, outpaced"),
        _words("Rowing Club, Athletic Union, Referees' Circle, Northern League, Fencing Society"),
        _words("points, laps, seconds, spectators, seasons, metres"),
    ),
}

PEOPLE = _words(
    "Ada Winterbourne, Tomas Okonjo, Ilse Varga, Benedikt Roe, Marguerite Salt, Yusuf Lindqvist, Petra Holloway, "
    "Oskar Dunmore, Naledi Fairweather, Ciaran Bexley, Ruta Almgren, Hector Pym, Soledad Marsh, Anton Brightwater, "
    "Wilhelmina Tuck, Rafael Stonor, Greta Mbeki-Lund, Edwin Quill, Farah Ottershaw, Jonas Applegarth"
)
PLACES = _words(
    "Gull Street, the Old Battery, Saltmarsh Lane, Cooper's Hill, the North Mole, Tanner's Yard, Eastgate, "
    "the Rope Walk, Pepper Alley, Low Meadow, the Viaduct, Candle Court, Fisher's Steps, Windmill Rise"
)
_FIRST = "Mar Tol Bren Kes Or Vel Hal Quen Sib Dru Fen Lor Nim Pas Rud Thal Wex Yar Zel Cor".split()
_LAST = "bel dane stock mere wick ova gate thorn ley ric anda hurst ford ell wyn isk otta burn combe".split()
_TIMES = _words(
    "last spring, before dawn, on Tuesday, in the autumn, for three winters, after the storm, this week, "
    "since the flood, on market day, over the holidays, at noon, within a month, late in June, by candlelight"
)
_FEELINGS = _words("relief, disbelief, applause, a long silence, good humour, patience, suspicion, open delight")
_REASONS = _words(
    "nobody had asked before, the money was already there, the weather had turned, two reports disagreed, "
    "an old promise still held, the neighbours insisted, the first attempt had failed, the records were missing, "
    "it was simply quicker, the rules had changed overnight"
)

_SENTENCES: tuple[str, ...] = (
    "{Person} {verb} the {adj} {noun} {time}, and the {org} took note.",
    "The {noun} near {place} is {adj}, but the {noun2} is not.",
    "“We {verb} every {noun} we could find,” said {person}, “because {reason}.”",
    "According to the {org}, about {num} {measure} depend on one {adj} {noun}.",
    "Nobody at {place} expected the {noun2} to matter until {person} {verb} it {time}.",
    "A {adj} {noun} and a {adj2} {noun2} now stand side by side at {place}.",
    "{name}, as the {noun} is known locally, was {adj} {time} and has been {adj2} ever since.",
    "The {org} {verb} the {noun2} {time}; the news met with {feeling}.",
    "When the {noun} failed, {person} walked to {place} and {verb} the {noun2} by hand.",
    "Of the {num} {measure} counted {time}, fewer than {num2} involved a {noun}.",
    "It was {person} who first {verb} the {noun}, {time}, with nothing more than a {adj} {noun2}.",
    "Most readers will remember {name} for its {noun}; few know that {reason}.",
    "The {adj} {noun} costs {num} crowns, which the {org} calls fair and {person} calls {adj2}.",
    "Between {place} and {place2} the {noun2} changes from {adj} to {adj2} within {num2} metres.",
    "“A {noun} is only as {adj} as the {noun2} behind it,” {person} wrote {time}.",
    "Plans for a second {noun} were {verb} after {num2} {measure} turned out to be wrong.",
    "The {noun2} itself dates from 18{num2}, yet the {noun} beside it is new.",
    "Three times the {org} {verb} {name}, and three times {reason}.",
    "{Person} keeps a {adj} {noun} at home and says that {reason}.",
    "What makes the {noun2} unusual is not that it is {adj}: it is that {person} {verb} it twice.",
    "Visitors to {place} meet the {noun} first and the {adj} {noun2} a little later.",
    "If the {noun} lasts another year, {num} {measure} will be spared, the {org} estimates.",
    "There was {feeling} when the {adj} {noun2} arrived at {place} {time}.",
    "The report, {num2} pages long, explains how {name} {verb} its {noun} and why {reason}.",
    "Critics such as {person} find the {noun} too {adj}, and the {noun2} not {adj2} enough.",
)
_HEADLINES: tuple[str, ...] = (
    "{Adj} {noun} returns to {place}",
    "Why {person} {verb} the {noun}",
    "{Org} and the {adj} {noun}",
    "The {noun} that {reason_not} expected",
    "{name}: a {adj} {noun} and its keeper",
    "{num} {measure} and one {noun}",
    "Who {verb} the {adj} {noun2}?",
    "At {place}, the {noun} is {adj} again",
    "A second life for the {noun2} of {name}",
    "How {name} {verb} its {noun}",
)
_COMMENTS: tuple[str, ...] = (
    "I disagree with {person}. My {noun} was never {adj}.",
    "Lovely piece! We saw the {noun} {time} with the children.",
    "Has anyone asked the {org} what the {noun2} costs?",
    "First! Also, the {noun} in the picture is the wrong one.",
    "My grandmother {verb} a {noun2} at {place} every year.",
    "Typical. {num} {measure} and still no {noun}.",
    "Thank you, this is the first article that explains the {noun2} properly.",
    "The {adj} one at {place} is better, ask {person}.",
)


class English(Writer):
    """The writer of one English article."""

    language = "en"
    forms, headlines, comments, space = _SENTENCES, _HEADLINES, _COMMENTS, " "
    subheads = ("The {noun} question", "{Adj} times", "Back at {place}", "What {name} knew")
    items = ("{adj} {noun}", "{noun} and {noun2}", "{num2} {measure}", "{noun} ({adj})")

    def __init__(self, rng: Random, topic: str) -> None:
        self.rng = rng
        words = TOPICS[topic]
        self.words = words
        self.nouns = some(rng, words.nouns, 6)
        self.adjectives = some(rng, words.adjectives, 5)
        self.verbs = some(rng, words.verbs, 5)
        self.people = some(rng, PEOPLE, 3)
        self.places = some(rng, PLACES, 3)
        self.orgs = some(rng, words.orgs, 2)
        self.name = pick(rng, _FIRST) + pick(rng, _LAST) + " " + pick(rng, _FIRST) + pick(rng, _LAST)
        self.author = pick(rng, PEOPLE)

    def fill(self, template: str) -> str:
        rng = self.rng
        noun, noun2 = some(rng, self.nouns, 2)
        adj, adj2 = some(rng, self.adjectives, 2)
        place, place2 = some(rng, self.places, 2)
        person, org = pick(rng, self.people), pick(rng, self.orgs)
        text = template.format(
            noun=noun, noun2=noun2, adj=adj, adj2=adj2, Adj=adj.capitalize(), place=place, place2=place2,
            verb=pick(rng, self.verbs), person=person, Person=person, org=org, Org=org, name=self.name,
            time=pick(rng, _TIMES), feeling=pick(rng, _FEELINGS), reason=pick(rng, _REASONS),
            reason_not=pick(rng, ("nobody", "few", "everyone", "only one reader")),
            num=str(11 + int(rng.random() * 880)), num2=str(10 + int(rng.random() * 79)),
            measure=pick(rng, self.words.measures),
        )  # fmt: skip
        text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
        return text[0].upper() + text[1:]
