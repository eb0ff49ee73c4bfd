import { describe, expect, it } from "vitest";
import { durationText, Pace, progressText } from "./progress.ts";

describe("Pace", () => {
  it("tells how long the rest takes at the pace so far", () => {
    const pace = new Pace(0);
    expect(pace.left(10)).toBeNull();
    pace.record(2, 4000);
    expect(pace.left(10)).toBe(16_000);
    expect(pace.left(null)).toBeNull();
    pace.record(10, 20_000);
    expect(pace.left(10)).toBe(0);
  });

  it("forgets what a resumed run repeated at once", () => {
    const pace = new Pace(0);
    for (let done = 1; done <= 500; done++) pace.record(done, done / 10);
    for (let done = 501; done <= 530; done++) pace.record(done, 50 + (done - 500) * 1000);
    expect(pace.left(630)).toBeCloseTo(100_000, -2);
  });

  it("isn't moved by news without progress", () => {
    const pace = new Pace(0);
    pace.record(1, 1000);
    pace.record(1, 9000);
    expect(pace.left(2)).toBe(1000);
  });
});

describe("progressText", () => {
  it("has counts first, then the estimate, and no zeros", () => {
    const counts = { accepted: 11, rejected: 1, ungraded: 0 };
    expect(progressText({ done: 12, total: 300, counts }, 120_000)).toBe(
      "12/300 · accepted 11 · rejected 1 · about 2 min left",
    );
    expect(progressText({ done: 12, total: null, counts: {} }, null)).toBe("12");
    expect(progressText({ done: 3, total: 3, counts: {} }, 0)).toBe("3/3");
  });

  it("says durations as people do", () => {
    expect([0, 89_400, 90_000, 5_300_000, 9_000_000].map(durationText)).toEqual([
      "0 s",
      "89 s",
      "2 min",
      "88 min",
      "2.5 h",
    ]);
  });
});
