SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '100001';
SET param_p4 = '100000';
WITH
  -- Partial counts of pages; a page may have several.
  counted AS (
    SELECT page_id, pageviews, sessions, entries, exits, toUInt64(0) AS converted
    FROM spoor.tracker_page_daily
    WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
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
      arraySort(page -> page.id, groupArray({p3:UInt64})(CAST(
        (page_id, sums.pageviews, sums.sessions, sums.entries, sums.exits, sums.converted) AS
        Tuple(id UInt64, pageviews Float64, sessions Float64, entries Float64, exits Float64, converted Float64)))) AS listed,
      if(all_pages <= {p4:UInt64}, listed, []) AS found
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
