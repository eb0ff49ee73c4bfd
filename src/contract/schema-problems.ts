import { z } from "zod";

const shown = 5;

/** What a value does not fit, for a message: the first few problems, each cut, and how many more there are. */
export function schemaProblems(error: z.ZodError): string {
  const first = new z.ZodError(error.issues.slice(0, shown));
  const more = error.issues.length - first.issues.length;
  const text = z.prettifyError(first).slice(0, 1000);
  return more > 0 ? `${text}\n… and ${more} more` : text;
}
