-- What reports count of an answer, one row for each version of the mentions: read by the brand report, the answers list and the URL report,
-- which need no text. The row is written last: an answer counts once it has one of the version that the control store names for its brand.
-- Of one answer and version the row with the highest revision counts.
CREATE TABLE IF NOT EXISTS spoor.counted_answers
(
  account_id UUID,
  brand_id UUID,
  mentions_version UInt64,
  day Date,
  answer_id UUID,
  revision UInt64,
  question_id UUID,
  engine LowCardinality(String),
  surface Enum8('consumer_ui' = 1, 'api' = 2, 'import' = 3),
  model LowCardinality(Nullable(String)),
  asked_at DateTime64(3, 'UTC'),
  country LowCardinality(Nullable(String)),
  country_applied Nullable(UInt8),
  state Enum8('answered' = 1, 'refused' = 2, 'failed' = 3),
  web_search Enum8('used' = 1, 'not_used' = 2, 'unknown' = 3),
  citations_observed UInt8,
  -- Each page that the answer cites: its URL, its domain, and whether it lies behind a redirect that nobody follows.
  cited_urls Array(String),
  cited_domains Array(LowCardinality(String)),
  cited_opaque Array(UInt8),
  -- Of the brand itself; 0: not named.
  own_position UInt32,
  own_sentiment Enum8('positive' = 1, 'neutral' = 2, 'negative' = 3, 'mixed' = 4, 'unknown' = 5),
  -- Every tracked brand that is named, the brand itself included, and its position.
  tracked_ids Array(UUID),
  tracked_positions Array(UInt32)
)
ENGINE = {{engine ReplacingMergeTree(revision)}}
PARTITION BY toYYYYMM(day)
ORDER BY (account_id, brand_id, mentions_version, day, answer_id)
SETTINGS {{durable}};

-- Answers that are stored already. Which version counts is known to the control store only, so each version gets its rows; a brand whose
-- answers name nobody has no version here but the first, and the next search for its names writes the others.
INSERT INTO spoor.counted_answers
WITH
versions AS (
  SELECT account_id, brand_id, mentions_version FROM spoor.answer_mentions
  UNION DISTINCT
  SELECT account_id, brand_id, toUInt64(1) AS mentions_version FROM spoor.answers
),
cited AS (
  SELECT account_id, brand_id, answer_id, revision, groupArray(url) AS urls, groupArray(domain) AS domains,
    groupArray(toUInt8(resolved = 'redirect_opaque')) AS opaque
  FROM spoor.answer_citations FINAL
  GROUP BY account_id, brand_id, answer_id, revision
),
named AS (
  SELECT account_id, brand_id, answer_id, revision, mentions_version, sumIf(position, is_own = 1) AS own_position,
    anyIf(sentiment, is_own = 1) AS own_sentiment, groupArray(tracked_id) AS ids, groupArray(position) AS positions
  FROM spoor.answer_mentions FINAL
  GROUP BY account_id, brand_id, answer_id, revision, mentions_version
)
SELECT answers.account_id, answers.brand_id, versions.mentions_version, answers.day, answers.answer_id, answers.revision,
  answers.question_id, answers.engine, answers.surface, answers.model, answers.asked_at, answers.country,
  answers.country_applied, answers.state, answers.web_search, answers.citations_observed, cited.urls,
  cited.domains, cited.opaque, ifNull(named.own_position, 0), if(ifNull(named.own_position, 0) = 0, 'unknown', toString(named.own_sentiment)),
  named.ids, named.positions
FROM spoor.answers AS answers FINAL
INNER JOIN versions ON versions.account_id = answers.account_id AND versions.brand_id = answers.brand_id
LEFT JOIN cited ON cited.account_id = answers.account_id AND cited.brand_id = answers.brand_id
  AND cited.answer_id = answers.answer_id AND cited.revision = answers.revision
LEFT JOIN named ON named.account_id = answers.account_id AND named.brand_id = answers.brand_id
  AND named.answer_id = answers.answer_id AND named.revision = answers.revision
  AND named.mentions_version = versions.mentions_version
SETTINGS join_algorithm = 'full_sorting_merge', max_partitions_per_insert_block = 0;
