-- When the rows of a granule came: answers of the open day read what has come since a moment ago, which lies in few parts. Parts that
-- were written before have no such index; days that are over need none.
ALTER TABLE spoor.requests ADD INDEX IF NOT EXISTS came greatest(at, received_at) TYPE minmax GRANULARITY 1;

ALTER TABLE spoor.events ADD INDEX IF NOT EXISTS received received_at TYPE minmax GRANULARITY 1;
