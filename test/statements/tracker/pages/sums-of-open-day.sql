SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[31]';
SET param_p4 = '[]';
SET param_p5 = '[]';
SET param_p6 = '[[],[0]]';
SET param_p7 = 'Array(Array(UInt16))';
SET param_p8 = '[\'example.com\']';
SET param_p9 = '[\'/pricing\']';
SET param_p10 = '[2]';
SET param_p11 = '[[],[1]]';
SET param_p12 = 'Array(Array(UInt16))';
SET param_p13 = '[\'signup\']';
SET param_p14 = '[2]';
SET param_p15 = '00000000-0000-4000-8000-000000000001';
SET param_p16 = '[\'2026-03-02\']';
SET param_p17 = '[12]';
SET param_p18 = '[[],[0]]';
SET param_p19 = 'Array(Array(UInt16))';
SET param_p20 = '[\'example.com\']';
SET param_p21 = '[\'/pricing\']';
SET param_p22 = '[2]';
SET param_p23 = '[[],[1]]';
SET param_p24 = 'Array(Array(UInt16))';
SET param_p25 = '[\'signup\']';
SET param_p26 = '[2]';
SET param_p27 = '00000000-0000-4000-8000-000000000001';
SET param_p28 = '[\'2026-03-03\']';
SET param_p29 = '2026-03-03 12:00:00.000';
SET param_p30 = '1800000';
SET param_p31 = '100001';
SET param_p32 = '100000';
WITH
  -- Partial counts of pages; a page may have several.
  counted AS (
    SELECT page_id, 0 AS pageviews, 0 AS sessions, 0 AS entries, 0 AS exits, converted
    FROM (
      SELECT toUInt64(identity) AS page_id, sessions AS converted
      FROM spoor.definition_daily
      WHERE site_id = {p0:UUID} AND definition_id IN {p1:Array(UUID)} AND (
        ((day IN {p2:Array(Date)}) AND (build IN {p3:Array(UInt64)}))
      )
        AND NOT (definition_id IN {p4:Array(UUID)} AND day IN {p5:Array(Date)}) AND dimension = 'page')
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
            CAST({p6:String}, {p7:String})[
              transform(
                page,
                arrayMap((host, path) -> cityHash64(host, path), {p8:Array(String)}, {p9:Array(String)}),
                {p10:Array(UInt64)},
                toUInt64(1)
              )
            ],
            CAST({p11:String}, {p12:String})[
              transform(toString(name), {p13:Array(String)}, {p14:Array(UInt64)}, toUInt64(1))
            ]
          ), pages, names, offsets) AS hits
          FROM spoor.sessions
          WHERE ((site_id = {p15:UUID}) AND (((day IN {p16:Array(Date)}) AND (build IN {p17:Array(UInt64)}))))
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
          CAST({p18:String}, {p19:String})[
            transform(
              if(kind = 'pageview', page_id, 0),
              arrayMap((host, path) -> cityHash64(host, path), {p20:Array(String)}, {p21:Array(String)}),
              {p22:Array(UInt64)},
              toUInt64(1)
            )
          ],
          CAST({p23:String}, {p24:String})[
            transform(toString(if(kind = 'pageview', '', name)), {p25:Array(String)}, {p26:Array(UInt64)}, toUInt64(1))
          ]
        )) AS is_marked, page_id AS carried
        FROM spoor.events FINAL
        WHERE (
          (site_id = {p27:UUID})
          AND (day IN {p28:Array(Date)})
          AND (stream = 'browser')
          AND (received_at <= {p29:DateTime64(3, 'UTC')})
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
            (event, silence) -> silence >= {p30:UInt64},
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
  -- The counts of each page.
  sums AS (
    SELECT page_id, sum(counted.pageviews) AS pageviews, sum(counted.sessions) AS sessions,
      sum(counted.entries) AS entries, sum(counted.exits) AS exits, sum(counted.converted) AS converted
    FROM counted
    GROUP BY page_id
  ),
  -- The same as lists.
  lists AS (
    SELECT count() AS all_pages, sum(sums.pageviews) AS all_pageviews, sum(sums.entries) AS all_entries,
      arraySort(page -> page.id, groupArray({p31:UInt64})(CAST(
        (page_id, sums.pageviews, sums.sessions, sums.entries, sums.exits, sums.converted) AS
        Tuple(id UInt64, pageviews Float64, sessions Float64, entries Float64, exits Float64, converted Float64)))) AS listed,
      if(all_pages <= {p32:UInt64}, listed, []) AS found
    FROM sums
  )
SELECT all_pages AS pages, all_pageviews AS pageviews, all_entries AS entries, arrayStringConcat(
  arrayMap(page -> hex(reinterpretAsFixedString(page.id)), found)
) AS ids,
  arrayStringConcat(
    arrayMap(page -> hex(reinterpretAsFixedString(page.pageviews)), found)
  ) AS page_pageviews, arrayStringConcat(
    arrayMap(page -> hex(reinterpretAsFixedString(page.sessions)), found)
  ) AS page_sessions,
  arrayStringConcat(
    arrayMap(page -> hex(reinterpretAsFixedString(page.entries)), found)
  ) AS page_entries, arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.exits)), found)) AS page_exits,
  arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.converted)), found)) AS page_converted
FROM lists;
