import { type MakeFeature, settings } from "../feature.ts";

/** Size limits with a relation between them. */
export const limits: MakeFeature = (random) => {
  const [body, parallel] = [random.integer(3, 90), random.integer(3, 12)];
  const total = body * parallel;
  const of = (bug: string | null) => (bug === "size-units" ? 1000 : 1024);
  const [put, sum] = random.pick([
    ["PUT", "SUM"],
    ["SEND", "BATCH"],
    ["STORE", "FLOOD"],
  ] as const);
  return {
    name: "limits",
    shape: "size-limits",
    wanted: settings("limits", { body: `${body}k`, parallel: String(parallel), total: `${total}k` }),
    targets: [
      { section: "limits", key: "body", wrong: `${Math.max(1, body - random.integer(1, 2))}k` },
      { section: "limits", key: "total", wrong: `${total + random.integer(1, 40)}k` },
    ],
    demand: `One message may have up to ${body} KiB (that size included), ${parallel} may come at the same time, and the limit for all of them together has to be the smallest that the service accepts with that.`,
    manual: `\`[limits]\` has \`body\` (size of one message), \`parallel\` (messages at the same time) and \`total\` (size of all). \`total\` must be at least \`body\` × \`parallel\`, otherwise the service doesn't start. \`${put} BYTES\` answers \`accepted\` or \`too large\`; \`${sum} BYTES\` does so for the total.`,
    schema: `("limits", ""): {"body": size, "parallel": int, "total": size}`,
    startup: `        limits = self.sections["limits"]
        if limits["total"] < limits["body"] * limits["parallel"]:
            raise ConfigError("limits.total must be at least limits.body x limits.parallel")`,
    verbs: { [put]: "put", [sum]: "sum" },
    python: `    def put(self, words):
        return "accepted" if int(words[0]) <= self.sections["limits"]["body"] else "too large"

    def sum(self, words):
        return "accepted" if int(words[0]) <= self.sections["limits"]["total"] else "too large"`,
    probes: [
      `${put} ${body * 1024}`,
      `${put} ${body * 1024 + 1}`,
      `${put} ${body * 500}`,
      `${put} ${body * 1000 + 1}`,
      `${sum} ${total * 1024}`,
      `${sum} ${total * 1024 + 1}`,
      `${sum} ${total * 1000 + 2}`,
    ],
    answer(probe, bug) {
      const [verb, bytes] = probe.split(" ") as [string, string];
      return Number(bytes) <= (verb === put ? body : total) * of(bug) ? "accepted" : "too large";
    },
  };
};
