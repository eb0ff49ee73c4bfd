import { booking } from "./booking.ts";
import { clock } from "./clock.ts";
import { dependencies } from "./dependencies.ts";
import { every } from "./every.ts";
import { order } from "./order.ts";

export const planner = {
  id: "planner",
  title: "a planner for a workshop",
  names: ["planner", "dispatch", "agenda", "roster"],
  parts: [order, every, dependencies, booking, clock],
};
