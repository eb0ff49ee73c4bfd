import { parse } from "lossless-json";
import type { Action, JsonObject, ModelCall } from "../../../contract/index.ts";

/**
 * The action that a model's call asks for, or why it is none. Nothing is guessed: arguments that are cut off, glued
 * together, encoded twice, no object, with a key twice, or with a number that would be rounded are the model's to repair.
 */
export function readCall(call: ModelCall): { action: Action } | { problem: string } {
  const say = (what: string) => ({
    problem: `the arguments of ${call.name || "a call without a name"} ${what}: ${quote(call.argumentsText)}`,
  });
  if (call.name === "") return say("can't be used, as the tool has no name");
  if (call.argumentsText.trim() === "") return { action: { name: call.name, arguments: {} } };
  let value: unknown;
  try {
    value = parse(call.argumentsText, null, { parseNumber: exactNumber, onDuplicateKey: refuseDuplicate });
  } catch (error) {
    return say(error instanceof Unusable ? error.message : `are no JSON (${(error as Error).message})`);
  }
  if (typeof value === "string") return say("are a text, not an object (encoded twice?)");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return say("are no JSON object");
  return { action: { name: call.name, arguments: value as JsonObject } };
}

class Unusable extends Error {}

function exactNumber(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Unusable(`hold the number ${text}, which is out of range`);
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(number))
    throw new Unusable(`hold the number ${text}, which is beyond 2^53: write it as a text`);
  return number;
}

function refuseDuplicate({ key }: { key: string }): never {
  throw new Unusable(`hold ${JSON.stringify(key)} twice`);
}

const quote = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
