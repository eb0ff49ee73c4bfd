import { z } from "zod";

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, "is not base64");
const path = z
  .string()
  .startsWith("/")
  .regex(/^[^\0]*$/)
  .refine((value) => !value.split("/").includes(".."), "holds ..");

/** One line of JSON in: commands that run one after the other in one nested sandbox. */
export const brokerRequestSchema = z.strictObject({
  commands: z
    .array(
      z.strictObject({
        argv: z
          .array(z.string().regex(/^[^\0]*$/))
          .min(1)
          .max(4096),
        stdin: base64.optional(),
        timeout_sec: z.number().positive().max(3600).default(10),
      }),
    )
    .min(1)
    .max(256),
  files: z.record(path, base64).default({}),
  collect: z.array(path).max(256).default([]),
});
export type BrokerRequest = z.infer<typeof brokerRequestSchema>;

/** One line of JSON out. `error` says that nothing usable was run; results are empty then. */
export type BrokerResponse = {
  results: { exit_code: number; stdout: string; stderr: string; timed_out: boolean }[];
  files: Record<string, string | null>;
  error: string | null;
};
