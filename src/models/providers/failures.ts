// What goes wrong with an endpoint, each kind with its code and whether another try may help.
import { type JsonObject, ModelError, type Usage } from "../../contract/index.ts";
import { unknownUsage } from "../usage.ts";

const kinds = {
  rate_limited: { isRetryable: true, remedy: "lower requests_per_minute in the model's profile, or wait" },
  overloaded: { isRetryable: true, remedy: "try later; the endpoint says that it can't serve now" },
  timeout: { isRetryable: true, remedy: "raise timeout_sec in the model's profile, or ask a faster model" },
  connection: { isRetryable: true, remedy: "check the profile's url and that the endpoint runs" },
  truncated: { isRetryable: true, remedy: "the endpoint or something between broke off; try again" },
  invalid_answer: { isRetryable: true, remedy: "check that the url is an endpoint of the profile's provider" },
  endpoint_error: { isRetryable: true, remedy: "see the endpoint's own log" },
  context_overflow: { isRetryable: false, remedy: "send less, or take a model with a larger context" },
  content_filter: { isRetryable: false, remedy: "the endpoint refuses this request; change it" },
  auth: { isRetryable: false, remedy: "set the variable that holds the key, and check that it is valid" },
  bad_request: { isRetryable: false, remedy: "check the model's name and the profile's sampling parameters" },
  answer_too_large: { isRetryable: false, remedy: "set max_tokens in the model's profile" },
} as const;
export type FailureCode = keyof typeof kinds;

export const failure = (code: FailureCode, message: string, cause?: unknown, details: JsonObject = {}): ModelError =>
  new ModelError({ code, message, ...kinds[code], details, ...(cause === undefined ? {} : { cause }) });

/** The error for an answer that is none. It may be billed: what the endpoint doesn't say that it used is unknown. */
export const failedAnswer = (code: FailureCode, message: string, usage: Usage | null, cause?: unknown): ModelError =>
  failure(code, message, cause, { usage: { ...(usage ?? unknownUsage) } });

const overflow =
  /context.{0,20}(length|window|size|limit)|maximum context|prompt is too long|too many tokens|exceed.{0,40}(context|tokens)/i;
const filtered = /content.{0,5}(filter|policy|management)|responsible ai|safety/i;

export function failedResponse(status: number, headers: Headers, body: string): ModelError {
  const said = messageIn(body);
  const message = `the endpoint answered ${status}${said ? `: ${said}` : ""}`;
  const wait = retryAfter(headers);
  const details = wait === null ? {} : { retryAfterMilliseconds: wait };
  return failure(codeOf(status, said), message, undefined, { status, ...details });
}

export function codeOf(status: number, said: string): FailureCode {
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limited";
  if (status === 408 || status === 409 || status === 425 || status >= 500) return "overloaded";
  if (overflow.test(said)) return "context_overflow";
  return filtered.test(said) ? "content_filter" : "bad_request";
}

/** The message of an error object as the dialects write it, else the beginning of the text. */
function messageIn(body: string): string {
  try {
    const value = JSON.parse(body) as { error?: { message?: unknown; code?: unknown } | string; message?: unknown };
    const error = value.error;
    const message = typeof error === "string" ? error : (error?.message ?? value.message);
    const code = typeof error === "object" && typeof error?.code === "string" ? ` (${error.code})` : "";
    if (typeof message === "string") return `${message.slice(0, 500)}${code}`;
  } catch {
    // No JSON: a proxy's page, say.
  }
  return body.trim().slice(0, 200);
}

/** RFC 9110 §10.2.3: seconds or a date. */
function retryAfter(headers: Headers): number | null {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** The same error without the key, which an endpoint may have echoed. */
export function redact(error: ModelError, secret: string | null): ModelError {
  if (!secret || secret.length < 4) return error;
  const clean = (text: string) => text.replaceAll(secret, "[key]");
  if (!JSON.stringify([error.message, error.details, String(error.cause), error.stack]).includes(secret)) return error;
  return new ModelError({
    code: error.code,
    message: clean(error.message),
    isRetryable: error.isRetryable,
    details: JSON.parse(clean(JSON.stringify(error.details))) as JsonObject,
  });
}
