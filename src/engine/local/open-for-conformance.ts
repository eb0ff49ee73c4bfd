import type { RunEvent } from "../../contract/index.ts";
import { openStore } from "../../store/index.ts";
import type { OpenEngine } from "../conformance/harness.ts";
import { openLocalEngine } from "./local-engine.ts";

/** The local engine as the conformance suite opens it. */
export const openForConformance: OpenEngine = async ({ directory, queues, onEvent, graceMilliseconds = 5_000 }) => {
  const store = openStore(directory, { command: "conformance" });
  const engine = openLocalEngine({ store, queues, graceMilliseconds, onEvent: ({ event }) => onEvent?.(event) });
  return {
    engine,
    events: (run) => store.events.read({ run }).map(({ body }) => body as RunEvent),
    async close() {
      await engine.close();
      store.close();
    },
  };
};
