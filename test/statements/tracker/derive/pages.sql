SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\']';
SET param_p2 = '[11]';
INSERT INTO spoor.tracker_page_daily (site_id, day, build, page_id, pageviews, sessions, entries, exits)
WITH
  -- The pages of each session, in order.
  walks AS (
    SELECT site_id, day, build, entry_page, exit_page, arrayFilter(page -> page != 0, pages) AS viewed
    FROM spoor.sessions WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
  )
SELECT site_id, day, build, page, count(), countIf(nth = 1),
  countIf(nth = 1 AND page = entry_page), countIf(nth = 1 AND page = exit_page)
FROM walks
ARRAY JOIN viewed AS page, arrayEnumerateUniq(viewed) AS nth
GROUP BY site_id, day, build, page;
