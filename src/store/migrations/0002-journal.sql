-- The engine's journal: runs, their steps, earlier attempts, completion orders, and what other processes ask of the owner.
CREATE TABLE run (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  flow TEXT NOT NULL,
  version TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'done', 'failed', 'stopped', 'cancelled')),
  input TEXT NOT NULL,
  seed REAL NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  sessions INTEGER NOT NULL DEFAULT 0,
  lease TEXT,
  result TEXT,
  result_blob TEXT,
  error TEXT
) STRICT;

-- id is run * 2^32 + ordinal: one tree holds the rows in the order in which a run first asked for them.
CREATE TABLE step (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  stage TEXT,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'forgotten')),
  attempts INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  result TEXT,
  blob TEXT,
  error TEXT,
  is_cause INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run, key)
) STRICT;
-- Covers the counts of `runs list` and `runs show`.
CREATE INDEX step_by_state ON step (run, kind, status, stage);
CREATE INDEX step_by_cause ON step (run) WHERE is_cause = 1;
CREATE INDEX step_by_blob ON step (blob) WHERE blob IS NOT NULL;

CREATE TABLE attempt (
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  key TEXT NOT NULL,
  number INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('failed', 'interrupted', 'redone')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  result TEXT,
  blob TEXT,
  error TEXT,
  PRIMARY KEY (run, key, number)
) STRICT;

CREATE INDEX attempt_by_blob ON attempt (blob) WHERE blob IS NOT NULL;

CREATE TABLE completion (
  run INTEGER NOT NULL REFERENCES run (number) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  position INTEGER NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (run, step, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('cancel')),
  run TEXT NOT NULL,
  reason TEXT NOT NULL,
  time INTEGER NOT NULL
) STRICT;
