SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'2026-03-03\']';
SET param_p5 = '2026-03-03 12:00:00.000';
SET param_p6 = '1800000';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[\'2026-03-03\']';
SET param_p9 = '2026-03-03 12:00:00.000';
SET param_p10 = '["",false,"","",0,0]';
SET param_p11 = '20000';
SET param_p12 = '1000';
WITH
  -- Each source with the totals of its dimension, and where it stands there.
  ranked AS (
    SELECT dimension, identity, sessions, pageviews,
      count() OVER alike AS total_rows, sum(sessions) OVER alike AS total_sessions, sum(pageviews) OVER alike AS total_pageviews,
      row_number() OVER (PARTITION BY dimension ORDER BY sessions DESC, identity) AS rank
    FROM (
      SELECT dimension, identity, sum(counted.sessions) AS sessions, sum(counted.pageviews) AS pageviews
      FROM (
        SELECT toString(dimension) AS dimension, toString(identity) AS identity, sessions, pageviews
        FROM spoor.source_daily
        WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
        UNION ALL
        WITH
          -- Events of visitors on the days that are read from facts, each once.
          visitor_events AS (
            SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, 0 AS is_marked, if(
              kind = 'pageview',
              bitOr(cityHash64(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content), 1),
              0
            ) AS carried
            FROM spoor.events FINAL
            WHERE (
              (site_id = {p3:UUID})
              AND (day IN {p4:Array(Date)})
              AND (stream = 'browser')
              AND (received_at <= {p5:DateTime64(3, 'UTC')})
            )
          ),
          -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
          visits AS (
            SELECT day, visitor, arraySort(groupArray(
              bitShiftLeft(toUInt128(toUnixTimestamp64Milli(received_at)), 86) + bitShiftLeft(toUInt128(seq % 1048576), 66)
              + bitShiftLeft(toUInt128(is_pageview), 65) + bitShiftLeft(toUInt128(is_marked), 64) + toUInt64(carried)
            )) AS visit_events
            FROM visitor_events
            GROUP BY day, visitor
          ),
          -- The same, cut into sessions where no event came for 30 minutes.
          split_visits AS (
            SELECT day, visitor,
              arraySplit(
                (event, silence) -> silence >= {p6:UInt64},
                visit_events,
                arrayDifference(arrayMap(event -> toUInt64(bitShiftRight(event, 86)), visit_events))
              ) AS parts
            FROM visits
          ),
          -- One row for each session, numbered from 1 within visitor and day.
          sessions AS (
            SELECT day, visitor, session, session_events
            FROM split_visits
            ARRAY JOIN parts AS session_events, arrayEnumerate(parts) AS session
          ),
          -- Sessions by the number of the origin of their first pageview.
          counted AS (
            SELECT origin, count() AS sessions, sum(views) AS pageviews
            FROM (
              SELECT arrayFilter(origin -> origin != 0, arrayMap(event -> toUInt64(event), session_events)) AS origins,
                length(origins) AS views, origins[1] AS origin
              FROM sessions
            )
            GROUP BY origin
          ),
          -- What each of these numbers stands for.
          origins AS (
            SELECT origin, arrayFilter(source -> source.identity != '', [
              ('origin',
                toJSONString((
                  toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium), (
                    utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
                  ) = 1, 1 = 1
                ))), ('utm_source', toString(utm_source)), ('utm_medium', toString(utm_medium)),
              ('utm_campaign', toString(utm_campaign)), ('utm_term', toString(utm_term)), ('utm_content', toString(utm_content))
            ]::Array(Tuple(dimension String, identity String))) AS sources
            FROM (
              SELECT bitOr(
                cityHash64(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content),
                1
              ) AS origin, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content
              FROM spoor.events
              WHERE (
                (
                  (site_id = {p7:UUID})
                  AND (day IN {p8:Array(Date)})
                  AND (stream = 'browser')
                  AND (received_at <= {p9:DateTime64(3, 'UTC')})
                )
              ) AND kind = 'pageview'
              LIMIT 1 BY origin
            )
          ),
          -- One row for each dimension that a session is counted under.
          labelled AS (
            SELECT arrayJoin(
              if(origin = 0, [('origin', {p10:String})::Tuple(dimension String, identity String)], origins.sources)
            ) AS source, sessions, pageviews
            FROM counted
            LEFT JOIN origins USING (origin)
          )
        SELECT source.dimension AS dimension, source.identity AS identity, sessions, pageviews
        FROM labelled
      ) AS counted
      GROUP BY dimension, identity)
    WINDOW alike AS (PARTITION BY dimension)
  )
SELECT dimension, identity, sessions, pageviews, total_rows, total_sessions, total_pageviews
FROM ranked
WHERE rank <= if(dimension = 'origin', {p11:UInt64}, {p12:UInt64})
ORDER BY dimension, rank;
