// Reads what a verifier wrote as its reward. Only one finite number in 0..1 is a verdict; everything else is an error
// that quotes the raw text, because a reward that was guessed is worse than none.
import { VerifierError } from "../../../contract/index.ts";

/** The two files that a verifier may write, null when it wrote none. */
export type RewardFiles = { readonly json: Uint8Array | null; readonly text: Uint8Array | null };
export type Reward = { readonly score: number; readonly rewards: Record<string, number> };

const number = /^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const member = /\s*("(?:[^"\\]|\\.)*")\s*:\s*([^\s,}{[\]"]+|"(?:[^"\\]|\\.)*"|[{[])\s*/y;

/**
 * The reward, from `reward.json` (one flat object of finite numbers with the key `reward`) or `reward.txt` (one number).
 * Errors: VerifierError `reward_missing`, `reward_unreadable`, `reward_not_a_number`, `reward_out_of_range`,
 * `reward_key_missing`, `reward_ambiguous`.
 */
export function parseReward(files: RewardFiles): Reward {
  const json = files.json === null ? null : parseObject(decode(files.json, "reward.json"));
  const text = files.text === null ? null : parseNumber(decode(files.text, "reward.txt"), "reward.txt");
  if (json && text !== null && json.reward !== text)
    throw failure(
      "reward_ambiguous",
      `reward.json says ${json.reward} and reward.txt says ${text}`,
      "write one of the two files",
    );
  if (json) return { score: json.reward as number, rewards: json };
  if (text !== null) return { score: text, rewards: { reward: text } };
  throw failure(
    "reward_missing",
    "the verifier wrote neither reward.json nor reward.txt",
    "write /logs/verifier/reward.json in every way in which test.sh can end",
  );
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw failure("reward_unreadable", `${file} is not UTF-8: ${quote(Buffer.from(bytes).toString("latin1"))}`);
  }
}

function parseNumber(raw: string, file: string): number {
  const text = raw.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  if (!/^[+-]?[\d.]/.test(text) || !number.test(text.replace(/^-/, "")))
    throw failure("reward_not_a_number", `${file} holds ${quote(raw)}, not one decimal number`);
  return inRange(Number(text), raw, file);
}

function inRange(value: number, raw: string, file: string): number {
  if (!Number.isFinite(value)) throw failure("reward_not_a_number", `${file} holds ${quote(raw)}, not a finite number`);
  if (value < 0 || value > 1 || Object.is(value, -0))
    throw failure("reward_out_of_range", `${file} holds ${quote(raw)}, outside 0..1`);
  return value;
}

function parseObject(raw: string): Record<string, number> {
  const bad = (why: string) =>
    failure(
      "reward_not_a_number",
      `reward.json holds ${quote(raw)}: ${why}`,
      'write one flat object of numbers: {"reward": 0.5}',
    );
  const text = raw.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  if (!text.startsWith("{") || !text.endsWith("}")) throw bad("not one object");
  const rewards: Record<string, number> = Object.create(null);
  let position = 1;
  while (text.slice(position).trim() !== "}") {
    member.lastIndex = position;
    const match = member.exec(text);
    if (!match) throw bad("not a flat object");
    const [, rawKey, rawValue] = match as unknown as [string, string, string];
    const key = parseJson(rawKey);
    if (typeof key !== "string") throw bad(`${rawKey} is no key`);
    const value = parseJson(rawValue);
    if (typeof value !== "number" || !Number.isFinite(value))
      throw bad(`${rawKey} is ${rawValue}, not a finite number`);
    if (key in rewards) throw failure("reward_ambiguous", `reward.json has the key ${rawKey} twice: ${quote(raw)}`);
    rewards[key] = value;
    position = member.lastIndex;
    if (text[position] === ",") {
      position += 1;
      if (text.slice(position).trim() === "}") throw bad("a comma too many");
    } else if (text.slice(position) !== "}") throw bad("not a flat object");
  }
  if (!("reward" in rewards))
    throw failure(
      "reward_key_missing",
      `reward.json has no key "reward": ${quote(raw)}`,
      "name the score `reward`; no other key is taken for it",
    );
  inRange(rewards.reward as number, raw, "reward.json");
  return { ...rewards };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const quote = (raw: string) => JSON.stringify(raw.length > 200 ? `${raw.slice(0, 200)}…` : raw);

const failure = (code: string, message: string, remedy = "write one finite number in 0..1") =>
  new VerifierError({ code, message, remedy });
