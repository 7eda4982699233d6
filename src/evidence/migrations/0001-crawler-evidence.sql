-- Crawler evidence. {{engine …}} and {{durable}} are filled in by ../migrate.ts, the one place that knows the engine.
-- Partitions are months, never days or sites (rules 4).

-- Facts at rest: what getPerformance, getCrawlers and getTopPages count on days without a current roll-up, and what every
-- roll-up is derived from. Idempotent by (site_id, day, event). The replacing engine keeps the greatest version, so
-- `receipt_order` falls as time goes on and the FIRST receipt of an event wins over every retry.
CREATE TABLE IF NOT EXISTS spoor.requests
(
  site_id UUID,
  day Date,
  event UInt128,
  at DateTime64(3, 'UTC'),
  precision Enum8('exact' = 1, 'hour' = 2),
  source_id UUID,
  delivery_id UUID,
  reading UInt64,
  requests UInt64,
  provider_estimate Nullable(UInt64),
  host LowCardinality(String),
  path String,
  path_fidelity Enum8('exact' = 1, 'redacted' = 2),
  path_class Enum8('content' = 1, 'infrastructure' = 2),
  page_id UInt64 MATERIALIZED cityHash64(host, path),
  status UInt16,
  status_raw UInt16,
  method LowCardinality(String),
  user_agent LowCardinality(String),
  agent_key UInt64,
  received_at DateTime64(3, 'UTC'),
  receipt_order UInt64 MATERIALIZED bitNot(toUInt64(toUnixTimestamp64Milli(received_at)))
)
ENGINE = {{engine ReplacingMergeTree(receipt_order)}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, event)
SETTINGS {{durable}};

-- Lines of an upload on their way to being facts; one partition per delivery, dropped whole. Serves no answer.
-- Not durable on purpose: what a crash leaves here is thrown away at the next start.
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
  user_agent LowCardinality(String),
  agent_key UInt64,
  line_hash UUID,
  line_number UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY delivery_id
ORDER BY (delivery_id, toYYYYMM(day), line_hash, line_number)
SETTINGS {{scratch}};

-- Roll-up for getPerformance and getCrawlers. Only rows of the build that the control store names for a day count.
CREATE TABLE IF NOT EXISTS spoor.crawler_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  source_id UUID,
  host LowCardinality(String),
  agent_key UInt64,
  status UInt16,
  path_class Enum8('content' = 1, 'infrastructure' = 2),
  requests UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, agent_key, status, source_id, host, path_class)
SETTINGS {{durable}};

-- Roll-up for getTopPages, by build as above. `observed` are the requests whose status is known.
CREATE TABLE IF NOT EXISTS spoor.page_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  source_id UUID,
  host LowCardinality(String),
  page_id UInt64,
  agent_key UInt64,
  requests UInt64,
  observed UInt64,
  last_at DateTime64(3, 'UTC')
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, page_id, agent_key, source_id, host)
SETTINGS {{durable}};

-- Names of pages for getTopPages: facts and roll-ups speak of a page_id, here is its host and path.
CREATE TABLE IF NOT EXISTS spoor.pages
(
  site_id UUID,
  page_id UInt64 DEFAULT cityHash64(host, path),
  host LowCardinality(String),
  path String,
  path_fidelity Enum8('exact' = 1, 'redacted' = 2),
  path_class Enum8('content' = 1, 'infrastructure' = 2)
)
ENGINE = {{engine ReplacingMergeTree}}
ORDER BY (site_id, page_id)
SETTINGS {{durable}};

-- Every automated agent ever seen, so that a later registry can label it. The earliest sighting wins, as in requests.
CREATE TABLE IF NOT EXISTS spoor.agents
(
  agent_key UInt64,
  user_agent String,
  proof String,
  first_seen DateTime64(3, 'UTC'),
  sighting_order UInt64 MATERIALIZED bitNot(toUInt64(toUnixTimestamp64Milli(first_seen)))
)
ENGINE = {{engine ReplacingMergeTree(sighting_order)}}
ORDER BY agent_key
SETTINGS {{durable}};

-- What a registry version says of an agent: joined at read by every crawler answer.
CREATE TABLE IF NOT EXISTS spoor.agent_labels
(
  registry_version String,
  agent_key UInt64,
  crawler_id LowCardinality(String),
  purpose LowCardinality(String),
  identity LowCardinality(String),
  scope LowCardinality(String)
)
ENGINE = {{engine ReplacingMergeTree}}
ORDER BY (registry_version, agent_key)
SETTINGS {{durable}};
