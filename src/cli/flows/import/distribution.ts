const differences = [
  /E: Version '[^']*' for '[^']*' was not found/,
  /E: Unable to locate package \S+/,
  /E: Package '[^']*' has no installation candidate/,
  /has no Release file/,
  /Unsupported distribution|unsupported (?:ubuntu|debian) release/i,
  /requires a different Python|Requires-Python|No matching distribution found/,
  /error: externally-managed-environment/,
  /GLIBC_\d[\d.]* not found/,
  /go: go\.mod requires go >= |R \(>= [\d.]+\)/,
];

/** Whether an output tells of what another release or another base has, and not of a fault of the task. */
export const isOfTheDistribution = (output: string): boolean => differences.some((one) => one.test(output));
