SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '1800000';
SET param_p4 = '50';
SET param_p5 = '00000000-0000-4000-8000-000000000001';
SET param_p6 = '50';
WITH
  -- Partial counts of pages; a page may have several.
  counted AS (
    WITH
      -- Events of visitors on the days that are read from facts, each once.
      visitor_events AS (
        SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, 0 AS is_marked, page_id AS carried
        FROM spoor.events FINAL
        WHERE (
          (site_id = {p0:UUID})
          AND (day IN {p1:Array(Date)})
          AND (stream = 'browser')
          AND (received_at <= {p2:DateTime64(3, 'UTC')})
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
            (event, silence) -> silence >= {p3:UInt64},
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
          emptyArrayUInt64() AS converted_on
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
    LIMIT {p4:UInt64} WITH TIES
  ),
  -- What the pages of the site are called.
  names AS (
    SELECT page_id, host, path, path_fidelity
    FROM spoor.pages FINAL
    WHERE site_id = {p5:UUID}
  )
SELECT toString(top.page_id) AS page_id, names.host AS hostname, names.path AS path, toString(names.path_fidelity) AS path_fidelity,
  pageviews, sessions, entries, exits, converted, total_pages, total_pageviews, total_entries
FROM names
RIGHT JOIN top USING (page_id)
ORDER BY pageviews DESC, hostname, path
LIMIT {p6:UInt64};
