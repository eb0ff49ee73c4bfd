import { z } from "zod";
import type { ToolSpec } from "../../contract/index.ts";

const path = z
  .string()
  .min(1)
  .regex(/^[^\0]*$/, "holds a NUL")
  .describe("absolute, or relative to the working directory");

/** The arguments of each tool. Unknown arguments are refused, so that a mistake is seen. */
export const toolArguments = {
  run: z.strictObject({
    command: z
      .string()
      .min(1)
      .regex(/^[^\0]*$/, "holds a NUL")
      .describe("run by bash where the image has it, else by sh"),
    timeout_sec: z.number().positive().max(86_400).optional().describe("seconds of wall time"),
  }),
  write: z.strictObject({ path, content: z.string() }),
  read: z.strictObject({
    path,
    range: z
      .tuple([z.number().int().positive(), z.number().int().positive()])
      .optional()
      .describe("first and last line, counted from 1"),
  }),
  submit: z.strictObject({}),
} as const;
export type ToolName = keyof typeof toolArguments;

const descriptions: Record<ToolName, string> = {
  run: "Runs a command without a terminal, its standard input at the end. Every command starts in the working directory; background processes stay alive.",
  write: "Writes a text file, with the folders that it needs.",
  read: "Reads a text file, whole or by lines.",
  submit: "Ends the work; it is verified as it is.",
};

let specifications: ToolSpec[] | null = null;

/** The tools of a terminal as a policy sees them; a copy of its own for each caller. */
export function terminalTools(): ToolSpec[] {
  specifications ??= describeTools();
  return structuredClone(specifications);
}

function describeTools(): ToolSpec[] {
  return (Object.keys(toolArguments) as ToolName[]).map((name) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(toolArguments[name]) as ToolSpec["parameters"];
    return { name, description: descriptions[name], parameters };
  });
}

export const isToolName = (name: string): name is ToolName => Object.hasOwn(toolArguments, name);
