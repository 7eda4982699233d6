SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p5 = '[\'2026-03-01\']';
SET param_p6 = '[31]';
SET param_p7 = '[]';
SET param_p8 = '[]';
SET param_p9 = '[[],[0]]';
SET param_p10 = 'Array(Array(UInt16))';
SET param_p11 = '[\'example.com\']';
SET param_p12 = '[\'/pricing\']';
SET param_p13 = '[2]';
SET param_p14 = '[[],[1]]';
SET param_p15 = 'Array(Array(UInt16))';
SET param_p16 = '[\'signup\']';
SET param_p17 = '[2]';
SET param_p18 = '00000000-0000-4000-8000-000000000001';
SET param_p19 = '[\'2026-03-02\']';
SET param_p20 = '[12]';
SET param_p21 = '[[],[0]]';
SET param_p22 = 'Array(Array(UInt16))';
SET param_p23 = '[\'example.com\']';
SET param_p24 = '[\'/pricing\']';
SET param_p25 = '[2]';
SET param_p26 = '[[],[1]]';
SET param_p27 = 'Array(Array(UInt16))';
SET param_p28 = '[\'signup\']';
SET param_p29 = '[2]';
SET param_p30 = '00000000-0000-4000-8000-000000000001';
SET param_p31 = '[\'2026-03-03\']';
SET param_p32 = '2026-03-03 12:00:00.000';
SET param_p33 = '1800000';
SET param_p34 = '50';
SET param_p35 = '00000000-0000-4000-8000-000000000001';
SET param_p36 = '50';
WITH
  -- Partial counts of pages; a page may have several.
  counted AS (
    SELECT page_id, pageviews, sessions, entries, exits, toUInt64(0) AS converted
    FROM spoor.tracker_page_daily
    WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
    UNION ALL
    SELECT page_id, 0 AS pageviews, 0 AS sessions, 0 AS entries, 0 AS exits, converted
    FROM (
      SELECT toUInt64(identity) AS page_id, sessions AS converted
      FROM spoor.definition_daily
      WHERE site_id = {p3:UUID} AND definition_id IN {p4:Array(UUID)} AND (
        ((day IN {p5:Array(Date)}) AND (build IN {p6:Array(UInt64)}))
      )
        AND NOT (definition_id IN {p7:Array(UUID)} AND day IN {p8:Array(Date)}) AND dimension = 'page')
    UNION ALL
    SELECT page_id, 0 AS pageviews, 0 AS sessions, 0 AS entries, 0 AS exits, converted
    FROM (
      WITH
        -- For each event of a session its page and the conversions that it met.
        session_hits AS (
          SELECT day, arrayMap(
            (viewed, other) -> viewed + other,
            pages,
            event_pages
          ) AS own_pages, arrayMap((page, name, later) -> arrayConcat(
            CAST({p9:String}, {p10:String})[
              transform(
                page,
                arrayMap((host, path) -> cityHash64(host, path), {p11:Array(String)}, {p12:Array(String)}),
                {p13:Array(UInt64)},
                toUInt64(1)
              )
            ],
            CAST({p14:String}, {p15:String})[
              transform(toString(name), {p16:Array(String)}, {p17:Array(UInt64)}, toUInt64(1))
            ]
          ), pages, names, offsets) AS hits
          FROM spoor.sessions
          WHERE ((site_id = {p18:UUID}) AND (((day IN {p19:Array(Date)}) AND (build IN {p20:Array(UInt64)}))))
        ),
        -- Sessions with a conversion, and the pages on which one happened.
        converted_sessions AS (
          SELECT day, arrayDistinct(arrayFilter((page, met) -> page != 0 AND notEmpty(met), own_pages, hits)) AS on_pages
          FROM session_hits
          WHERE arrayExists(met -> notEmpty(met), hits)
        )
      SELECT page AS page_id, count() AS converted
      FROM converted_sessions
      ARRAY JOIN on_pages AS page
      GROUP BY page)
    UNION ALL
    WITH
      -- Events of visitors on the days that are read from facts, each once.
      visitor_events AS (
        SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, notEmpty(arrayConcat(
          CAST({p21:String}, {p22:String})[
            transform(
              if(kind = 'pageview', page_id, 0),
              arrayMap((host, path) -> cityHash64(host, path), {p23:Array(String)}, {p24:Array(String)}),
              {p25:Array(UInt64)},
              toUInt64(1)
            )
          ],
          CAST({p26:String}, {p27:String})[
            transform(toString(if(kind = 'pageview', '', name)), {p28:Array(String)}, {p29:Array(UInt64)}, toUInt64(1))
          ]
        )) AS is_marked, page_id AS carried
        FROM spoor.events FINAL
        WHERE (
          (site_id = {p30:UUID})
          AND (day IN {p31:Array(Date)})
          AND (stream = 'browser')
          AND (received_at <= {p32:DateTime64(3, 'UTC')})
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
            (event, silence) -> silence >= {p33:UInt64},
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
      -- The pages of each session, in order, and those on which it converted.
      walks AS (
        SELECT arrayMap(
          event -> toUInt64(event),
          arrayFilter(event -> toUInt8(bitShiftRight(event, 65)) % 2 = 1, session_events)
        ) AS viewed, viewed[1] AS entry, viewed[-1] AS leaving,
          arrayDistinct(
            arrayMap(event -> toUInt64(event), arrayFilter(event -> toUInt8(bitShiftRight(event, 64)) % 2 = 1, session_events))
          ) AS converted_on
        FROM sessions
      ),
      -- One row for each pageview, the nth of its page in the session, and one (nth 0) for each page of a conversion.
      views AS (
        SELECT page, nth, entry, leaving
        FROM walks
        ARRAY JOIN arrayConcat(viewed, converted_on) AS page,
          arrayConcat(arrayEnumerateUniq(viewed), arrayMap(page -> 0, converted_on)) AS nth
      )
    SELECT page AS page_id, countIf(nth > 0) AS pageviews, countIf(nth = 1) AS sessions,
      countIf(nth = 1 AND page = entry) AS entries, countIf(nth = 1 AND page = leaving) AS exits, countIf(nth = 0) AS converted
    FROM views
    GROUP BY page_id
  ),
  -- The pages with the most pageviews, ties included, and the totals of all pages.
  top AS (
    SELECT page_id, sum(counted.pageviews) AS pageviews, sum(counted.sessions) AS sessions,
      sum(counted.entries) AS entries, sum(counted.exits) AS exits, sum(counted.converted) AS converted,
      count() OVER () AS total_pages, sum(sum(counted.pageviews)) OVER () AS total_pageviews,
      sum(sum(counted.entries)) OVER () AS total_entries
    FROM counted
    GROUP BY page_id
    ORDER BY pageviews DESC
    LIMIT {p34:UInt64} WITH TIES
  ),
  -- What the pages of the site are called.
  names AS (
    SELECT page_id, host, path, path_fidelity
    FROM spoor.pages FINAL
    WHERE site_id = {p35:UUID}
  )
SELECT toString(top.page_id) AS page_id, names.host AS hostname, names.path AS path, toString(names.path_fidelity) AS path_fidelity,
  pageviews, sessions, entries, exits, converted, total_pages, total_pageviews, total_entries
FROM names
RIGHT JOIN top USING (page_id)
ORDER BY pageviews DESC, hostname, path
LIMIT {p36:UInt64};
