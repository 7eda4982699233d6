-- What came of crawlers' requests, page by page: read by the detection of issues. Only rows of the build that the control store names for a
-- day count. `edge_action` is null where the source does not say; `status` is 0 where it was not observed.
CREATE TABLE IF NOT EXISTS spoor.page_outcomes_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  source_id UUID,
  host LowCardinality(String),
  page_id UInt64,
  agent_key UInt64,
  status UInt16,
  method_class Enum8('get' = 1, 'head' = 2, 'other' = 3, 'unknown' = 4),
  edge_action Nullable(Enum8('none' = 1, 'block' = 2, 'challenge' = 3)),
  requests UInt64,
  first_at DateTime64(3, 'UTC'),
  last_at DateTime64(3, 'UTC')
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, page_id, agent_key, status, source_id, host)
SETTINGS {{durable}};
