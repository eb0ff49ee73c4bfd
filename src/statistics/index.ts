// Intervals, posteriors, sequential tests, seeded random numbers.
export * from "./random.ts";
