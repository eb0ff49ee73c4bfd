// A model request as plain text for a program that reads a prompt, with the protocol in which it may answer.
import type { ModelMessage, ModelRequest, ToolSpec } from "../../contract/index.ts";

export function renderRequest(request: ModelRequest): string {
  const parts = [
    request.system,
    request.tools?.length ? renderTools(request.tools) : undefined,
    ...renderMessages(request.messages),
    renderAnswer(request),
  ];
  return `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}

function renderTools(tools: readonly ToolSpec[]): string {
  const lines = tools.map(
    ({ name, description, parameters }) =>
      `- ${name}: ${description}\n  arguments (JSON Schema): ${JSON.stringify(parameters)}`,
  );
  return `# Tools\n\n${lines.join("\n")}`;
}

/** A lone question stands as it is; a conversation gets headings. */
function renderMessages(messages: readonly ModelMessage[]): string[] {
  if (messages.length === 1 && messages[0]?.role === "user") return [messages[0].text];
  return messages.map((message) => {
    if (message.role === "user") return `# User\n\n${message.text}`;
    if (message.role === "tool")
      return `# Result of call ${message.callId}${message.isError ? " (an error)" : ""}\n\n${message.text}`;
    const calls = message.calls.map((call) => `Call ${call.id}: ${call.name} ${call.argumentsText}`);
    return ["# Assistant", message.text, ...calls].filter((part) => part !== "").join("\n\n");
  });
}

function renderAnswer({ tools, toolChoice, schema }: ModelRequest): string | undefined {
  const lines: string[] = [];
  if (tools?.length && toolChoice !== "none")
    lines.push(
      'To call tools, answer with nothing but one JSON object: {"text": "what you have to say", "calls": [{"name": ' +
        '"a tool", "arguments": {}}]}. The calls are made for you, and their results come with the next request.',
      toolChoice === "required" ? "You have to call at least one tool." : "Any other answer is taken as plain text.",
    );
  if (schema)
    lines.push(
      `An answer in text has to be one JSON value, and nothing else, that satisfies this JSON Schema: ${JSON.stringify(schema)}`,
    );
  return lines.length > 0 ? `# How to answer\n\n${lines.join("\n")}` : undefined;
}
