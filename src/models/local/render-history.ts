// A conversation in the roles that every chat template has: calls and their results become text in a fixed form.
import type { ModelMessage, ModelRequest } from "../../contract/index.ts";
import type { HistoryItem } from "./runtime-types.ts";

export function renderHistory(request: ModelRequest): HistoryItem[] {
  const history: HistoryItem[] = [];
  const system = [request.system, describeAnswer(request)].filter(Boolean).join("\n\n");
  if (system !== "") history.push({ type: "system", text: system });
  for (const message of request.messages) add(history, message);
  if (history.at(-1)?.type !== "model") history.push({ type: "model", response: [""] });
  return history;
}

/** Two messages of one side in a row become one, as templates take turns for granted. */
function add(history: HistoryItem[], message: ModelMessage): void {
  const last = history.at(-1);
  if (message.role === "assistant") {
    history.push({ type: "model", response: [renderAnswer(message.text, message.calls)] });
    return;
  }
  const text = message.role === "user" ? message.text : `${message.isError ? "Error" : "Result"}: ${message.text}`;
  if (last?.type === "user") last.text += `\n\n${text}`;
  else history.push({ type: "user", text });
}

type Call = Extract<ModelMessage, { role: "assistant" }>["calls"][number];

function renderAnswer(text: string, calls: readonly Call[]): string {
  const parts = calls.map((call) => `{"tool": ${JSON.stringify(call.name)}, "arguments": ${call.argumentsText}}`);
  return [text, ...parts].filter((part) => part !== "").join("\n");
}

function describeAnswer({ tools, toolChoice, schema }: ModelRequest): string {
  if (tools?.length && toolChoice !== "none")
    return [
      "You act by calling one tool at a time. The tools, with the JSON Schema of their arguments:",
      ...tools.map(({ name, description, parameters }) => `- ${name}: ${description} ${JSON.stringify(parameters)}`),
      'Answer with JSON: {"tool": NAME, "arguments": {…}}' +
        (toolChoice === "required" ? "." : ', or {"final": "…"} when there is nothing left to do.'),
    ].join("\n");
  return schema ? `Answer with JSON that satisfies this JSON Schema: ${JSON.stringify(schema)}` : "";
}
