SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '5';
SET param_p2 = '6';
SET param_p3 = '2026-03-03';
SET param_p4 = '00000000-0000-4000-8000-000000000001';
SET param_p5 = '[\'2026-03-03\']';
SET param_p6 = '[3,4]';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[\'2026-03-03\']';
SET param_p9 = '2026-03-03 12:00:00.000';
SET param_p10 = '2026-03-03 11:59:30.000';
SET param_p11 = ':own';
SET param_p12 = '00000000-0000-4000-8000-000000000001';
SET param_p13 = '[\'2026-03-03\']';
SET param_p14 = '2026-03-03 12:00:00.000';
SET param_p15 = '2026-03-03 11:00:00.000';
SET param_p16 = '00000000-0000-4000-8000-000000000001';
SET param_p17 = '[\'2026-03-03\']';
SET param_p18 = '2026-03-03 12:00:00.000';
SET param_p19 = '2026-03-03 11:59:30.000';
SET param_p20 = '00000000-0000-4000-8000-000000000001';
SET param_p21 = '[\'2026-03-03\']';
SET param_p22 = '2026-03-03 12:00:00.000';
SET param_p23 = '1800000';
SET param_p24 = '2026-03-03';
SET param_p25 = '1800000';
SET param_p26 = '1772539140000';
SET param_p27 = ':own';
SET param_p28 = '1800000';
SET param_p29 = '1772539200000';
SET param_p30 = '2026-03-03 12:00:00.000';
SET param_p31 = '1800000';
SET param_p32 = '1772539200000';
SET param_p33 = '2026-03-03 12:00:00.000';
SET param_p34 = '00000000-0000-4000-8000-000000000001';
SET param_p35 = '[\'2026-03-03\']';
SET param_p36 = '[7,8]';
SET param_p37 = '1800000';
SET param_p38 = '1772539140000';
SET param_p39 = '00000000-0000-4000-8000-000000000001';
SET param_p40 = '[\'2026-03-03\']';
SET param_p41 = '2026-03-03 12:00:00.000';
SET param_p42 = '2026-03-03 11:59:30.000';
INSERT INTO spoor.sessions (site_id, day, build, visitor, session, started_at, ended_at, pageviews, events, entry_page, exit_page, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
  pages, event_pages, names, offsets, props, tie_requests)
SELECT {p0:UUID}, day, if(is_closed, {p1:UInt64}, {p2:UInt64}), visitor, number, started_at, ended_at, pageviews, events, entry_page, exit_page, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
  pages, event_pages, names, offsets, props, tie_requests
FROM (
  SELECT day, visitor, if(session = 1 AND NOT (day = {p3:Date} AND visitor IN (
    SELECT visitor
    FROM spoor.sessions
    WHERE ((site_id = {p4:UUID}) AND (((day IN {p5:Array(Date)}) AND (build IN {p6:Array(UInt64)})))) AND visitor IN (
      SELECT visitor
      FROM spoor.events
      WHERE (
        (
          (
            (site_id = {p7:UUID})
            AND (day IN {p8:Array(Date)})
            AND (stream = 'browser')
            AND (received_at <= {p9:DateTime64(3, 'UTC')})
          )
        )
        AND (received_at > {p10:DateTime64(3, 'UTC')})
      )
    )
  )), 1, session + 1) AS number, is_closed, started_at, ended_at, pageviews, events, entry_page, exit_page, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    pages, event_pages, names, offsets, props, tie_requests
  FROM (
    WITH
      -- Events of visitors on the days that are read from facts, each once.
      visitor_events AS (
        SELECT day, visitor, received_at, seq, if(kind = 'pageview', page_id, 0) AS page, if(kind = 'pageview', 0, page_id) AS event_page, name, request,
          if(empty(props), '', toJSONString(props)) AS packed_props, multiIf(
            (
              has_click_id OR utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
            ), toJSONString(tuple(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content)),
            referrer_host IN ('', {p11:String}), toString(referrer_host),
            toJSONString(tuple(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content))
          ) AS packed_origin
        FROM spoor.events FINAL
          PREWHERE id IN (
            SELECT id
            FROM spoor.events
            WHERE ((((site_id = {p12:UUID}) AND (day IN {p13:Array(Date)}) AND (stream = 'browser') AND (received_at <= {p14:DateTime64(3, 'UTC')}))) AND (received_at >= {p15:DateTime64(3, 'UTC')}) AND (visitor IN (
              SELECT visitor
              FROM spoor.events
              WHERE (
                (
                  (
                    (site_id = {p16:UUID})
                    AND (day IN {p17:Array(Date)})
                    AND (stream = 'browser')
                    AND (received_at <= {p18:DateTime64(3, 'UTC')})
                  )
                )
                AND (received_at > {p19:DateTime64(3, 'UTC')})
              )
            )))
          )
        WHERE (
          (site_id = {p20:UUID})
          AND (day IN {p21:Array(Date)})
          AND (stream = 'browser')
          AND (received_at <= {p22:DateTime64(3, 'UTC')})
        )
      ),
      -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
      visits AS (
        SELECT day, visitor, arraySort(
          groupArray(
            (received_at, seq, page, event_page, name, request, packed_props, packed_origin)::Tuple(
              received_at DateTime64(3, 'UTC'),
              seq UInt64,
              page UInt64,
              event_page UInt64,
              name LowCardinality(String),
              request UInt64,
              packed_props String,
              packed_origin String
            )
          )
        ) AS visit_events
        FROM visitor_events
        GROUP BY day, visitor
      ),
      -- The same, cut into sessions where no event came for 30 minutes.
      split_visits AS (
        SELECT day, visitor,
          arraySplit(
            (event, silence) -> silence >= {p23:UInt64},
            visit_events,
            arrayDifference(arrayMap(event -> toUnixTimestamp64Milli(event.received_at), visit_events))
          ) AS parts
        FROM visits
      ),
      -- One row for each session, numbered from 1 within visitor and day.
      sessions AS (
        SELECT day, visitor, session, session_events
        FROM split_visits
        ARRAY JOIN parts AS session_events, arrayEnumerate(parts) AS session
        WHERE ((day != {p24:Date}) OR ((toUnixTimestamp64Milli(session_events[-1].received_at) + {p25:UInt64} > {p26:UInt64})))
      ),
      -- The same, with the pageviews of each session apart.
      viewed_sessions AS (
        SELECT day, visitor, session, session_events, arrayFilter(event -> event.page != 0, session_events) AS views
        FROM sessions
      )
    SELECT
      day, visitor, session, session_events[1].received_at AS started_at, session_events[-1].received_at AS ended_at,
      length(views) AS pageviews, length(session_events) AS events, views[1].page AS entry_page, views[-1].page AS exit_page,
      JSONExtract(
        views[1].packed_origin,
        'Tuple(referrer_host String, has_click_id Bool, utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String)'
      ) AS acquired,
      if(
        views[1].packed_origin = {p27:String},
        views[1].packed_origin,
        acquired.referrer_host
      ) AS referrer_host, acquired.has_click_id AS has_click_id,
      acquired.utm_source AS utm_source, acquired.utm_medium AS utm_medium, acquired.utm_campaign AS utm_campaign,
      acquired.utm_term AS utm_term, acquired.utm_content AS utm_content,
      arrayMap(event -> event.page, session_events) AS pages,
      arrayMap(event -> event.event_page, session_events) AS event_pages,
      arrayMap(event -> event.name, session_events) AS names,
      arrayMap(
        event -> toUInt32(toUnixTimestamp64Milli(event.received_at) - toUnixTimestamp64Milli(started_at)), session_events
      ) AS offsets,
      arrayMap(
        event -> if(event.packed_props = '', map(), JSONExtract(event.packed_props, 'Map(LowCardinality(String), String)')),
        session_events
      ) AS props,
      if(
        arrayExists(
          (event, before) -> event.received_at = before.received_at AND event.request != before.request,
          arrayPopFront(session_events), arrayPopBack(session_events)
        ),
        arrayMap(event -> event.request, session_events), []
      ) AS tie_requests,
      (
        (toUnixTimestamp64Milli(ended_at) + {p28:UInt64} <= {p29:UInt64})
        OR (day < toDate({p30:DateTime64(3, 'UTC')}))
      ) AS is_closed
    FROM viewed_sessions)
  UNION ALL
  SELECT day, visitor, session AS number, (
    (toUnixTimestamp64Milli(ended_at) + {p31:UInt64} <= {p32:UInt64})
    OR (day < toDate({p33:DateTime64(3, 'UTC')}))
  ) AS is_closed, started_at, ended_at, pageviews, events, entry_page, exit_page, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    pages, event_pages, names, offsets, props, tie_requests
  FROM spoor.sessions
  WHERE ((site_id = {p34:UUID}) AND (((day IN {p35:Array(Date)}) AND (build IN {p36:Array(UInt64)}))))
    AND toUnixTimestamp64Milli(ended_at) + {p37:UInt64} > {p38:UInt64}
    AND visitor NOT IN (
      SELECT visitor
      FROM spoor.events
      WHERE (
        (
          (
            (site_id = {p39:UUID})
            AND (day IN {p40:Array(Date)})
            AND (stream = 'browser')
            AND (received_at <= {p41:DateTime64(3, 'UTC')})
          )
        )
        AND (received_at > {p42:DateTime64(3, 'UTC')})
      )
    )
)
  SETTINGS max_threads = 1;
