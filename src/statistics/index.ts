// Intervals, posteriors, sequential tests, seeded random numbers.
export * from "./band-test.ts";
export * from "./beta-function.ts";
export * from "./beta-posterior.ts";
export * from "./describe-rate.ts";
export * from "./normal-quantile.ts";
export * from "./paired-bootstrap.ts";
export * from "./pass-at-k.ts";
export * from "./proportion.ts";
export * from "./random.ts";
export * from "./rate-summary.ts";
