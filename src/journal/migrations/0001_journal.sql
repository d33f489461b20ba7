-- What happened, in order. `seq` decides the order; `at` is what the clock said (Unix ms) and may go back.
CREATE TABLE events (
    seq      INTEGER PRIMARY KEY NOT NULL,
    id       TEXT    NOT NULL UNIQUE,
    at       INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    section  TEXT,
    round    INTEGER,
    table_no INTEGER,
    body     TEXT    NOT NULL
) STRICT;

CREATE INDEX events_by_table ON events (table_no, seq) WHERE table_no IS NOT NULL;
CREATE INDEX events_by_round ON events (round, seq) WHERE round IS NOT NULL;
CREATE INDEX events_by_kind ON events (kind, seq);

-- Also keeps INSERT OR REPLACE from removing a row unseen.
CREATE TRIGGER events_in_order BEFORE INSERT ON events
BEGIN
    SELECT RAISE(ABORT, 'the journal has no gaps')
    WHERE NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events);
    SELECT RAISE(ABORT, 'the journal has this event already')
    WHERE EXISTS (SELECT 1 FROM events WHERE id = NEW.id);
END;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;

CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;

-- What the broker has not acknowledged yet. AUTOINCREMENT: an id never names two messages.
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    topic   TEXT    NOT NULL,
    payload BLOB    NOT NULL,
    retain  INTEGER NOT NULL,
    at      INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_states ON outbox (topic) WHERE retain = 1;

-- Topics at which the broker may hold a message of ours. `emptied_by` is the outbox row that empties
-- it; the topic is forgotten once that row is acknowledged.
CREATE TABLE retained (
    topic      TEXT PRIMARY KEY NOT NULL,
    emptied_by INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX retained_emptied ON retained (emptied_by) WHERE emptied_by IS NOT NULL;
