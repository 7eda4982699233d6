-- Partial for getAnalyticsSources, by build: sessions by where they began (`origin`, the JSON list of what their first pageview says) and
-- by each UTM value that it carried. Which channel or platform an origin is, is decided at read. It takes the place of
-- acquisition_daily, of which an answer had to make these rows anew, three times as many.
CREATE TABLE IF NOT EXISTS spoor.source_daily
(
  site_id UUID,
  day Date,
  build UInt64,
  dimension Enum8('origin' = 1, 'utm_source' = 2, 'utm_medium' = 3, 'utm_campaign' = 4, 'utm_term' = 5, 'utm_content' = 6),
  identity LowCardinality(String),
  sessions UInt64,
  pageviews UInt64
)
ENGINE = {{engine MergeTree}}
PARTITION BY toYYYYMM(day)
ORDER BY (site_id, day, build, dimension, identity)
SETTINGS {{durable}};

-- A step that broke off is repeated as a whole.
TRUNCATE TABLE spoor.source_daily;

INSERT INTO spoor.source_daily (site_id, day, build, dimension, identity, sessions, pageviews)
SELECT site_id, day, build, told.1, told.2, sum(sessions), sum(pageviews)
FROM
(
  SELECT site_id, day, build, sessions, pageviews,
    arrayJoin(arrayFilter(told -> told.2 != '', [
      ('origin', toJSONString((
        toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium),
        (utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != '') = 1, has_pageview = 1
      ))),
      ('utm_source', toString(utm_source)), ('utm_medium', toString(utm_medium)), ('utm_campaign', toString(utm_campaign)),
      ('utm_term', toString(utm_term)), ('utm_content', toString(utm_content))
    ])) AS told
  FROM spoor.acquisition_daily
)
GROUP BY site_id, day, build, told;
