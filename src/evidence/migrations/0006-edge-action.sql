-- What the edge in front of a site did to a request itself; null where the source does not say, as in all facts stored before.
-- Read by the detection of refusals. It is no part of a fact's identity, so that a repeated import stays a repeat.
ALTER TABLE spoor.requests ADD COLUMN IF NOT EXISTS edge_action Nullable(Enum8('none' = 1, 'block' = 2, 'challenge' = 3)) AFTER method;

ALTER TABLE spoor.import_rows ADD COLUMN IF NOT EXISTS edge_action Nullable(Enum8('none' = 1, 'block' = 2, 'challenge' = 3)) AFTER method;
