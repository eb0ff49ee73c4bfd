import { z } from "zod";
import { type Check, VerifierError } from "../../../../contract/index.ts";
import { type RunReport, requireCounts } from "./run-report.ts";

const statusSchema = z.enum(["passed", "failed", "skipped", "pending", "other"]);
const ctrfSchema = z.object({
  results: z.object({
    summary: z.record(z.string(), z.unknown()).optional(),
    tests: z.array(
      z.object({
        name: z.string().min(1),
        status: statusSchema,
        message: z.string().nullish(),
        trace: z.string().nullish(),
      }),
    ),
  }),
});

/**
 * Checks from a CTRF report. A name that begins with a requirement's id belongs to that requirement.
 * Errors: VerifierError `check_report_unreadable`, `check_counts_differ`.
 */
export function readCtrf(text: string): RunReport {
  let report: z.infer<typeof ctrfSchema>;
  try {
    report = ctrfSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new VerifierError({
      code: "check_report_unreadable",
      message: `ctrf.json is no CTRF report: ${text.slice(0, 200)}`,
      remedy: "write results.summary and results.tests with name and status",
      cause,
    });
  }
  const checks = report.results.tests.map((test): Check => {
    const requirement = /^(R[1-9]\d*)\b/.exec(test.name)?.[1];
    const message = test.message ?? test.trace;
    return {
      name: test.name,
      status: test.status === "pending" ? "skipped" : test.status === "other" ? "error" : test.status,
      ...(message ? { message: message.slice(0, 2000) } : {}),
      ...(requirement ? { requirement } : {}),
    };
  });
  const summary = report.results.summary;
  const count = (key: string) => (typeof summary?.[key] === "number" ? (summary[key] as number) : 0);
  if (summary)
    requireCounts("ctrf.json", checks, {
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped") + count("pending"),
      error: count("other"),
    });
  return { source: "ctrf", checks };
}
