SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'2026-03-03\']';
SET param_p5 = '2026-03-03 12:00:00.000';
SET param_p6 = '2026-03-03 11:29:00.000';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[\'2026-03-03\']';
SET param_p9 = '2026-03-03 12:00:00.000';
SET param_p10 = '1800000';
SET param_p11 = '2026-03-03';
SET param_p12 = '1800000';
SET param_p13 = '1772539140000';
SET param_p14 = '00000000-0000-4000-8000-000000000001';
SET param_p15 = '[\'2026-03-03\']';
SET param_p16 = '2026-03-03 12:00:00.000';
SET param_p17 = '00000000-0000-4000-8000-000000000001';
SET param_p18 = '[\'2026-03-03\']';
SET param_p19 = '2026-03-03 12:00:00.000';
SET param_p20 = '2026-03-03 11:29:00.000';
SET param_p21 = '["",false,"","",0,0]';
SET param_p22 = '20001';
SELECT dimension, identity, sum(counted.sessions) AS sessions, sum(counted.pageviews) AS pageviews
FROM (
  WITH
    -- Events of visitors on the days that are read from facts, each once.
    visitor_events AS (
      SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, 0 AS is_marked, if(
        kind = 'pageview',
        bitOr(cityHash64(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content), 1),
        0
      ) AS carried
      FROM spoor.events FINAL
        PREWHERE id IN (
          SELECT id
          FROM spoor.events
          WHERE ((((site_id = {p0:UUID}) AND (day IN {p1:Array(Date)}) AND (stream = 'browser') AND (received_at <= {p2:DateTime64(3, 'UTC')}))) AND (visitor IN (
            SELECT visitor
            FROM spoor.events
            WHERE (
              (
                (
                  (site_id = {p3:UUID})
                  AND (day IN {p4:Array(Date)})
                  AND (stream = 'browser')
                  AND (received_at <= {p5:DateTime64(3, 'UTC')})
                )
              )
              AND (received_at > {p6:DateTime64(3, 'UTC')})
            )
          )))
        )
      WHERE (
        (site_id = {p7:UUID})
        AND (day IN {p8:Array(Date)})
        AND (stream = 'browser')
        AND (received_at <= {p9:DateTime64(3, 'UTC')})
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
          (event, silence) -> silence >= {p10:UInt64},
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
      WHERE ((day != {p11:Date}) OR ((toUInt64(bitShiftRight(session_events[-1], 86)) + {p12:UInt64} > {p13:UInt64})))
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
        WHERE ((((site_id = {p14:UUID}) AND (day IN {p15:Array(Date)}) AND (stream = 'browser') AND (received_at <= {p16:DateTime64(3, 'UTC')}))) AND (visitor IN (
          SELECT visitor
          FROM spoor.events
          WHERE (
            (
              (
                (site_id = {p17:UUID})
                AND (day IN {p18:Array(Date)})
                AND (stream = 'browser')
                AND (received_at <= {p19:DateTime64(3, 'UTC')})
              )
            )
            AND (received_at > {p20:DateTime64(3, 'UTC')})
          )
        ))) AND kind = 'pageview'
        LIMIT 1 BY origin
      )
    ),
    -- One row for each dimension that a session is counted under.
    labelled AS (
      SELECT arrayJoin(
        if(origin = 0, [('origin', {p21:String})::Tuple(dimension String, identity String)], origins.sources)
      ) AS source, sessions, pageviews
      FROM counted
      LEFT JOIN origins USING (origin)
    )
  SELECT source.dimension AS dimension, source.identity AS identity, sessions, pageviews
  FROM labelled
) AS counted
GROUP BY dimension, identity
LIMIT {p22:UInt64} BY dimension;
