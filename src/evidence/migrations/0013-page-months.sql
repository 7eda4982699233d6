-- Requests of closed months by page, agent and status: what page_outcomes_daily says of the month's days, added up, for answers over long
-- windows. Only rows of the build that the control store names for a month count, and only while that build sums the days' builds that count.
CREATE TABLE IF NOT EXISTS spoor.page_monthly
(
  site_id UUID,
  month Date,
  build UInt64,
  source_id UUID,
  host LowCardinality(String),
  page_id UInt64,
  agent_key UInt64,
  status UInt16,
  requests UInt64,
  first_at DateTime64(3, 'UTC'),
  last_at DateTime64(3, 'UTC')
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(month)
ORDER BY (site_id, month, build, page_id, agent_key, status, source_id, host)
SETTINGS {{durable}};
