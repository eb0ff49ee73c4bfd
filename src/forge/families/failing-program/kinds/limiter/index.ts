import { bucket } from "./bucket.ts";
import { lockout } from "./lockout.ts";
import { quota } from "./quota.ts";
import { tally } from "./tally.ts";
import { window } from "./window.ts";

export const limiter = {
  id: "limiter",
  title: "the bookkeeping behind a rate limiter",
  names: ["limiter", "throttle", "gatekeeper", "turnstile"],
  parts: [window, bucket, lockout, quota, tally],
};
