import { EngineError } from "../../contract/index.ts";

function faultOf(value: unknown, path: string): string | null {
  if (value === null || typeof value === "string" || typeof value === "boolean" || value === undefined) return null;
  if (typeof value === "number") return Number.isFinite(value) ? null : `${path} is ${value}`;
  if (typeof value !== "object") return `${path} is a ${typeof value}`;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const fault = value[i] === undefined ? `${path}[${i}] is undefined` : faultOf(value[i], `${path}[${i}]`);
      if (fault) return fault;
    }
    return null;
  }
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  if (prototype !== Object.prototype && prototype !== null) return `${path} is a ${prototype.constructor?.name}`;
  for (const [name, member] of Object.entries(value)) {
    const fault = faultOf(member, `${path}.${name}`);
    if (fault) return fault;
  }
  return null;
}

/**
 * The JSON text of a result, null for undefined. What JSON can't hold would come back as something else after a resume,
 * so it is an EngineError `result_not_json` that names the place.
 */
export function resultText(value: unknown, owner: string): string | null {
  if (value === undefined) return null;
  let fault: string | null;
  try {
    fault = faultOf(value, "result");
  } catch {
    fault = "result refers to itself";
  }
  if (fault === null) return JSON.stringify(value);
  throw new EngineError({
    code: "result_not_json",
    message: `the result of ${owner} is no JSON: ${fault}`,
    remedy: "return plain objects, arrays, strings, finite numbers, booleans and null",
  });
}
