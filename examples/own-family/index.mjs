// A skill family of one's own: `routesetter forge --families examples/own-family`. docs/families.md walks through it.
import { compose, solutionScript, writeLetter } from "routesetter/forge";

const plants = ["fern", "moss", "sedge", "yarrow", "clover", "heather", "thistle", "sorrel"];
const places = ["north", "south", "marsh", "ridge", "shore", "wood"];

/**
 * The world: what was seen where, a line each. From difficulty 3 on some lines are struck out with a `#`; at 5 a line may
 * stand for several sightings (`x3`). The last line is always a plain one, so that forgetting it shows.
 */
function drawWorld(random, difficulty) {
  const length = 20 + 10 * difficulty;
  const sightings = Array.from({ length }, (_, index) => ({
    place: random.pick(places),
    plant: random.pick(plants),
    struck: difficulty >= 3 && random.boolean(0.2) && index < length - 1,
    times: difficulty === 5 && index % 4 === 0 ? random.integer(2, 5) : 1,
  }));
  const lines = sightings.map(
    ({ place, plant, struck, times }) => `${struck ? "#" : ""}${place}: ${plant}${times > 1 ? ` x${times}` : ""}`,
  );
  return { sightings, file: { path: "notes/sightings.txt", content: `${lines.join("\n")}\n` } };
}

/** Counted from the world as it was drawn; `bug` counts what was struck out, too, as a wrong program would. */
function tally(sightings, key, bug) {
  const counts = {};
  for (const sighting of sightings)
    if (bug === "struck" || !sighting.struck)
      counts[sighting[key]] = (counts[sighting[key]] ?? 0) + (bug === "times" ? 1 : sighting.times);
  if (bug === "off-by-one") counts[sightings.find(({ struck }) => !struck)[key]] += 1;
  return counts;
}

const prelude = (skill) => `
import json, os
os.makedirs("/app/out", exist_ok=True)
lines = open("/app/notes/sightings.txt").read().splitlines()
${skill >= 3 ? 'lines = [line for line in lines if not line.startswith("#")]' : 'lines = [line.lstrip("#") for line in lines]'}
pairs = []
for line in lines:
    place, plant = line.split(": ")
    plant, _, times = plant.partition(" x")
    pairs += [(place, plant)] * ${skill === 5 ? "int(times or 1)" : "1"}
def tally(values):
    return {value: values.count(value) for value in values}
`;

/** One requirement, with its words, its answer, its solution, a mistake that people make, and its check. */
function question(key, field, counts) {
  const artefact = `/app/out/by-${key}.json`;
  const write = (values) => `json.dump(tally(${values}), open("${artefact}", "w"))`;
  return {
    key: `by_${key}`,
    shape: `counts-by-${key}`,
    artefact,
    format: "JSON object",
    statement: `${artefact} counts the sightings by ${key}`,
    demand: `Write \`${artefact}\`: a JSON object that gives for each ${key} the number of its sightings.`,
    derivation: `lines of the notes grouped by ${key}`,
    sources: ["/app/notes/sightings.txt"],
    expected: counts,
    solve: write(`[pair[${field}] for pair in pairs]`),
    mistake: { name: `the last line is forgotten in the count by ${key}`, solve: write(`[pair[${field}] for pair in pairs[:-1]]`) },
    check: `v.equal(v.json("${artefact}"), wanted, "${artefact}")`,
  };
}

function draw(random, difficulty, bug) {
  const { sightings, file } = drawWorld(random.fork("world"), difficulty);
  const questions = [
    question("plant", 1, tally(sightings, "plant", bug)),
    question("place", 0, tally(sightings, "place", bug)),
  ];
  return { file, questions };
}

const family = (bug) => ({
  id: "field-notes",
  title: "Field notes",
  derivations: ["off-by-one", "struck", "times"],
  withBug: (derivation) => family(derivation),
  draft(random, difficulty) {
    const { file, questions } = draw(random, difficulty, bug);
    return compose({
      random: random.fork("partials"),
      title: `Field notes of difficulty ${difficulty}`,
      instruction: writeLetter(random.fork("words"), {
        context: ["Our notes of the last walk are in `/app/notes/sightings.txt`, a sighting a line: the place, a colon, the plant."],
        demands: questions.map(({ demand }) => demand),
        conditions: [
          ...(difficulty >= 3 ? ["A line that begins with `#` was struck out and doesn't count."] : []),
          ...(difficulty === 5 ? ["`x3` at the end of a line stands for three sightings."] : []),
          "Leave the notes as they are.",
        ],
      }),
      difficulty,
      tags: ["counting"],
      files: [file],
      prelude: prelude(difficulty),
      questions,
      untouched: "/app/notes",
    });
  },
  /** What suffices at a lower level counts what was struck out. */
  solutionAt: (random, difficulty, skill) => solutionScript(prelude(skill), draw(random, difficulty, bug).questions),
});

export default family(null);
