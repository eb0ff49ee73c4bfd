import { defineConfig } from "vitest/config";

// Three suites: unit (beside the source), end to end (test/), peers (Docker, official clients, kills).
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts"], exclude: ["src/**/*.peer.test.ts"] } },
      { extends: true, test: { name: "end-to-end", include: ["test/end-to-end/**/*.test.ts", "test/hostile/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "peers",
          include: ["src/**/*.peer.test.ts", "test/peers/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
