// Recorded replies of models: record, replay, strict replay.
export { Cassette, type CassetteMode, type CassetteOptions, type CassetteReport } from "./cassette.ts";
export { type ReadCassette, type RecordedEntry, readCassette } from "./read-cassette.ts";
export { isReplayed, type WithCassetteOptions, withCassette } from "./with-cassette.ts";
