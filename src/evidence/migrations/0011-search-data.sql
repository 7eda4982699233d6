-- What search engines report of the pages of a brand: read by the URL report. A row covers `day` to `last_day`; of one row the highest
-- revision counts. An empty text means that the report has no such dimension; `dimensions` says which it has.
CREATE TABLE IF NOT EXISTS spoor.search_rows
(
  account_id UUID,
  brand_id UUID,
  source Enum8('google' = 1, 'bing' = 2),
  property String,
  search_type LowCardinality(String),
  dimensions LowCardinality(String),
  day Date,
  last_day Date,
  page String,
  query String,
  country LowCardinality(String),
  device LowCardinality(String),
  clicks UInt64,
  impressions UInt64,
  position Nullable(Float64),
  revision UInt64
)
ENGINE = {{engine ReplacingMergeTree(revision)}}
PARTITION BY toYYYYMM(day)
ORDER BY (account_id, brand_id, source, property, search_type, dimensions, day, last_day, page, query, country, device)
SETTINGS {{durable}};

-- What search engines report of their AI answers: never mixed with searches, nor with the citations counted in stored answers.
CREATE TABLE IF NOT EXISTS spoor.search_ai_rows
(
  account_id UUID,
  brand_id UUID,
  kind Enum8('ai_citations' = 1, 'ai_impressions' = 2),
  source Enum8('google' = 1, 'bing' = 2, 'clarity' = 3),
  from_day Date,
  to_day Date,
  page String,
  grounding_query String,
  citations Nullable(UInt64),
  impressions Nullable(UInt64),
  revision UInt64
)
ENGINE = {{engine ReplacingMergeTree(revision)}}
PARTITION BY toYYYYMM(to_day)
ORDER BY (account_id, brand_id, kind, source, from_day, to_day, page, grounding_query)
SETTINGS {{durable}};
