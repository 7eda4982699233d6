SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\']';
SET param_p2 = '[11]';
INSERT INTO spoor.source_daily (site_id, day, build, dimension, identity, sessions, pageviews)
WITH
  -- Sessions by all that their first pageview says about where it came from.
  beginnings AS (
    SELECT site_id, day, build, viewed > 0 AS has_pageview, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content, count() AS sessions, sum(viewed) AS pageviews
    FROM (
      SELECT site_id,
        day,
        build,
        pageviews AS viewed,
        referrer_host,
        has_click_id,
        utm_source,
        utm_medium,
        utm_campaign,
        utm_term,
        utm_content FROM spoor.sessions WHERE (
          (site_id = {p0:UUID})
          AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)})))
        )
    )
    GROUP BY site_id, day, build, has_pageview, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  ),
  -- One row for each dimension that they are counted under.
  labelled AS (
    SELECT site_id, day, build, sessions, pageviews, arrayJoin(arrayFilter(source -> source.identity != '', [
      ('origin',
        toJSONString((
          toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium), (
            utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
          ) = 1, has_pageview = 1
        ))), ('utm_source', toString(utm_source)), ('utm_medium', toString(utm_medium)),
      ('utm_campaign', toString(utm_campaign)), ('utm_term', toString(utm_term)), ('utm_content', toString(utm_content))
    ]::Array(Tuple(dimension String, identity String)))) AS source
    FROM beginnings
  )
SELECT site_id, day, build, source.dimension, source.identity, sum(labelled.sessions), sum(labelled.pageviews)
FROM labelled
GROUP BY site_id, day, build, source;
