-- Evidence from browsers and customers' servers (spec 2.6, 4.2; rules 6). Partitions are months, as everywhere.

-- Facts at rest: one row per accepted event. The day is the UTC day of receipt. Idempotent by (site_id, day, stream, id); `seq`
-- rises with every event that is persisted, so that the FIRST receipt of an id wins over every retry.
-- What answers count on the open day and on days without a build; revenue is always computed from here.
CREATE TABLE IF NOT EXISTS spoor.events
(
  site_id UUID,
  day Date,
  stream Enum8('browser' = 1, 'server' = 2, 'bot' = 3),
  id UInt128,
  received_at DateTime64(3, 'UTC'),
  seq UInt64,
  request UInt64,
  visitor UInt64,
  kind Enum8('pageview' = 1, 'event' = 2, 'revenue' = 3),
  name LowCardinality(String),
  hostname LowCardinality(String),
  path String,
  path_fidelity Enum8('exact' = 1, 'redacted' = 2),
  page_id UInt64 MATERIALIZED cityHash64(hostname, path),
  referrer_host LowCardinality(String),
  has_click_id Bool,
  utm_source LowCardinality(String),
  utm_medium LowCardinality(String),
  utm_campaign LowCardinality(String),
  utm_term LowCardinality(String),
  utm_content LowCardinality(String),
  props Map(LowCardinality(String), String),
  revenue_kind Enum8('none' = 0, 'sale' = 1, 'refund' = 2),
  amount_minor UInt64,
  currency LowCardinality(String),
  order_key UInt128,
  receipt_order UInt64 MATERIALIZED bitNot(seq)
)
ENGINE = {{engine ReplacingMergeTree(receipt_order)}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, stream, id)
SETTINGS {{durable}};

-- One row per session of a closed day; only rows of the build that the control store names for a day count. Arrays hold the
-- session's events side by side, in the order of their receipt. Serves every answer about sessions, by way of the partials below,
-- and new definitions over past days directly.
CREATE TABLE IF NOT EXISTS spoor.sessions
(
  site_id UUID,
  day Date,
  build UInt64,
  visitor UInt64,
  session UInt32,
  started_at DateTime64(3, 'UTC'),
  ended_at DateTime64(3, 'UTC'),
  pageviews UInt32,
  events UInt32,
  entry_page UInt64,
  exit_page UInt64,
  referrer_host LowCardinality(String),
  has_click_id Bool,
  utm_source LowCardinality(String),
  utm_medium LowCardinality(String),
  utm_campaign LowCardinality(String),
  utm_term LowCardinality(String),
  utm_content LowCardinality(String),
  pages Array(UInt64),
  names Array(LowCardinality(String)),
  offsets Array(UInt32),
  props Array(Map(LowCardinality(String), String)),
  tie_requests Array(UInt64)
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, visitor, session)
SETTINGS {{durable}};

-- Partial of a closed day for getAnalyticsOverview, by build. `timed` are sessions of two events or more.
CREATE TABLE IF NOT EXISTS spoor.tracker_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  visitors UInt64,
  sessions UInt64,
  pageviews UInt64,
  bounces UInt64,
  timed_sessions UInt64,
  timed_ms UInt64,
  timed_pageviews UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build)
SETTINGS {{durable}};

-- Partial for getAnalyticsSources, by build: sessions by what their first pageview says about where they came from. Which channel or
-- platform that is, is decided at read.
CREATE TABLE IF NOT EXISTS spoor.acquisition_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  has_pageview Bool,
  referrer_host LowCardinality(String),
  has_click_id Bool,
  utm_source LowCardinality(String),
  utm_medium LowCardinality(String),
  utm_campaign LowCardinality(String),
  utm_term LowCardinality(String),
  utm_content LowCardinality(String),
  sessions UInt64,
  pageviews UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, referrer_host, utm_source, utm_medium, utm_campaign)
SETTINGS {{durable}};

-- Partial for getAnalyticsPages, by build. Names of pages are in spoor.pages.
CREATE TABLE IF NOT EXISTS spoor.tracker_page_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  page_id UInt64,
  pageviews UInt64,
  sessions UInt64,
  entries UInt64,
  exits UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, page_id)
SETTINGS {{durable}};

-- Partial for getAnalyticsJourneys, by build: sessions by the sequence of their pages, consecutive repeats folded, at most ten long.
CREATE TABLE IF NOT EXISTS spoor.journey_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  journey UInt64,
  pages Array(UInt64),
  is_continued Bool,
  sessions UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, journey)
SETTINGS {{durable}};

-- What one definition (a revision of a conversion or a funnel, or the set of conversions in force) counted on one closed day, by a
-- build of its own. `step` is 0 but for funnels; an empty dimension is the total.
CREATE TABLE IF NOT EXISTS spoor.definition_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  definition_id UUID,
  step UInt8,
  dimension LowCardinality(String),
  identity String,
  sessions UInt64,
  events UInt64,
  ambiguous UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, definition_id, day, build, step, dimension, identity)
SETTINGS {{durable}};
