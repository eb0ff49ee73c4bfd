// A project's state: SQLite file, blobs, events, lineage, and who may write them.
export { Blobs, blobDigest } from "./blobs.ts";
export { Events, type NewEvent, type StoredEvent } from "./events.ts";
export { Lineage, type LineageEdge } from "./lineage.ts";
export { describeOwner, type Owner } from "./owner.ts";
export { postRequest } from "./post-request.ts";
export { Sqlite } from "./sqlite.ts";
export { guarded, storageError, storedJson } from "./storage-error.ts";
export { openStore, ownerLost, type Store, type StoreOptions } from "./store.ts";
