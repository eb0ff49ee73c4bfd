import type { Action, JsonObject, ModelCall } from "../../../contract/index.ts";
import { InexactJson, parseExact } from "../../../models/index.ts";

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
    value = parseExact(call.argumentsText, refuseLarge);
  } catch (error) {
    return say(error instanceof InexactJson ? `hold ${error.message}` : `are no JSON (${(error as Error).message})`);
  }
  if (typeof value === "string") return say("are a text, not an object (encoded twice?)");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return say("are no JSON object");
  return { action: { name: call.name, arguments: value as JsonObject } };
}

function refuseLarge(digits: string): never {
  throw new InexactJson(`the number ${digits}, which is beyond 2^53: write it as a text`);
}

const quote = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
