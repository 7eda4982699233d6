-- Staged lines in the order of their days, in which a log has them: nothing is sorted, and a commit of some days reads no others. A part
-- is one file, and hardly any are merged, for they are thrown away soon. Staged lines need not be kept: a start throws them away too.
DROP TABLE IF EXISTS spoor.import_rows;

CREATE TABLE IF NOT EXISTS spoor.import_rows
(
  delivery_id UUID,
  at_ms Int64,
  day Date MATERIALIZED toDate(fromUnixTimestamp64Milli(at_ms, 'UTC')),
  host LowCardinality(String),
  path String,
  path_fidelity Enum8('exact' = 1, 'redacted' = 2),
  path_class Enum8('content' = 1, 'infrastructure' = 2),
  status UInt16,
  status_raw UInt16,
  method LowCardinality(String),
  edge_action Nullable(Enum8('none' = 1, 'block' = 2, 'challenge' = 3)),
  user_agent LowCardinality(String),
  agent_key UInt64,
  line_hash UUID,
  line_number UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY delivery_id
ORDER BY (delivery_id, day)
SETTINGS {{scratch}}, min_bytes_for_wide_part = 1073741824, min_rows_for_wide_part = 0, min_parts_to_merge_at_once = 50;
