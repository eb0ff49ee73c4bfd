// A program for tests: adds 25 long entries to the cassette argv[3], each named after argv[2].
import { appendEntry } from "../cassette/append-entry.ts";
import { requestKey } from "../request-key.ts";
import { ask, identity, replyOf } from "./counting-model.ts";

const [name, file] = process.argv.slice(2) as [string, string];
for (let index = 0; index < 25; index++) {
  const request = ask(name + index + "x".repeat(20_000));
  appendEntry(file, { key: requestKey(identity, request), identity, request, reply: replyOf("1") });
}
