import type { Stage } from "../stage.ts";
import { container } from "./container.ts";
import { packed } from "./packed.ts";
import { patched } from "./patched.ts";
import { pieces } from "./pieces.ts";
import { transcoded } from "./transcoded.ts";

/** What may stand before another family's work: one file and one line here. */
export const stages: readonly Stage[] = [packed, transcoded, pieces, patched, container];
