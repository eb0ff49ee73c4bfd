import { account } from "./account.ts";
import { fee } from "./fee.ts";
import { interest } from "./interest.ts";
import { ranking } from "./ranking.ts";
import { split } from "./split.ts";

export const till = {
  id: "till",
  title: "a till for a small shop",
  names: ["till", "kassa", "cashbook", "tally"],
  parts: [fee, account, interest, split, ranking],
};
