-- Answers of engines to the questions of brands: read by the brand report, the answers list and the URL report. Of one answer the row with
-- the highest revision counts. Lists of an answer are JSON; null says that nothing is known, [] that there was nothing.
CREATE TABLE IF NOT EXISTS spoor.answers
(
  account_id UUID,
  brand_id UUID,
  day Date,
  answer_id UUID,
  revision UInt64,
  question_id UUID,
  engine LowCardinality(String),
  surface Enum8('consumer_ui' = 1, 'api' = 2, 'import' = 3),
  provider LowCardinality(Nullable(String)),
  model LowCardinality(Nullable(String)),
  language LowCardinality(Nullable(String)),
  persona LowCardinality(Nullable(String)),
  run Nullable(UInt32),
  asked_at DateTime64(3, 'UTC'),
  asked_at_precision Enum8('instant' = 1, 'day' = 2),
  country LowCardinality(Nullable(String)),
  country_applied Nullable(UInt8),
  state Enum8('answered' = 1, 'refused' = 2, 'failed' = 3),
  failure_code LowCardinality(Nullable(String)),
  failure_message Nullable(String),
  web_search Enum8('used' = 1, 'not_used' = 2, 'unknown' = 3),
  text Nullable(String),
  text_truncated UInt8,
  cited_spans String,
  search_queries Nullable(String),
  citations_observed UInt8,
  retrieved Nullable(String),
  reported_mentions Nullable(String),
  cost_micros Nullable(UInt64),
  cost_currency LowCardinality(Nullable(String)),
  cost_basis Nullable(Enum8('billed' = 1, 'estimated' = 2, 'imported' = 3)),
  source_tool LowCardinality(Nullable(String)),
  external_id Nullable(String),
  content_sha256 FixedString(64)
)
ENGINE = {{engine ReplacingMergeTree(revision)}}
PARTITION BY toYYYYMM(day)
ORDER BY (account_id, brand_id, day, answer_id)
SETTINGS {{durable}};

-- Pages that an answer cites, each once: read by the same answers. Only rows of the counting revision of their answer count.
CREATE TABLE IF NOT EXISTS spoor.answer_citations
(
  account_id UUID,
  brand_id UUID,
  day Date,
  answer_id UUID,
  revision UInt64,
  position UInt32,
  url String,
  domain LowCardinality(String),
  title Nullable(String),
  resolved Enum8('direct' = 1, 'redirect_followed' = 2, 'redirect_opaque' = 3),
  span_count UInt32
)
ENGINE = {{engine ReplacingMergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (account_id, brand_id, day, answer_id, revision, position)
SETTINGS {{durable}};

-- Tracked brands that an answer names: read by the same answers. Only rows of the version that the control store names for the brand, and of
-- the counting revision of their answer, count.
CREATE TABLE IF NOT EXISTS spoor.answer_mentions
(
  account_id UUID,
  brand_id UUID,
  day Date,
  answer_id UUID,
  revision UInt64,
  mentions_version UInt64,
  tracked_id UUID,
  is_own UInt8,
  position UInt32,
  offset UInt32,
  occurrences UInt32,
  sentiment Enum8('positive' = 1, 'neutral' = 2, 'negative' = 3, 'mixed' = 4, 'unknown' = 5)
)
ENGINE = {{engine ReplacingMergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (account_id, brand_id, day, answer_id, mentions_version, revision, tracked_id)
SETTINGS {{durable}};
