import { heading } from "./heading.ts";
import { roman } from "./roman.ts";
import { table } from "./table.ts";
import { title } from "./title.ts";
import { wrap } from "./wrap.ts";

export const formatter = {
  id: "formatter",
  title: "a text formatter for a printing house",
  names: ["formatter", "typesetter", "galley", "composer"],
  parts: [wrap, heading, title, table, roman],
};
