-- Owner of the project, blobs' lineage, events. One row in owner at most.
CREATE TABLE owner (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  token TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  namespace TEXT NOT NULL,
  command TEXT NOT NULL,
  since INTEGER NOT NULL,
  heartbeat INTEGER NOT NULL
) STRICT;

CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT,
  source TEXT UNIQUE,
  type TEXT NOT NULL,
  time INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_run ON event (run, id);
CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
BEGIN
  SELECT RAISE(ABORT, 'the event table is append-only');
END;
CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
BEGIN
  SELECT RAISE(ABORT, 'the event table is append-only');
END;

CREATE TABLE lineage (
  child TEXT NOT NULL,
  parent TEXT NOT NULL,
  relation TEXT NOT NULL,
  detail TEXT NOT NULL,
  time INTEGER NOT NULL,
  PRIMARY KEY (child, parent, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineage_by_parent ON lineage (parent);
