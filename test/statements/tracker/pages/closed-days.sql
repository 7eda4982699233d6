SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '50';
SET param_p4 = '00000000-0000-4000-8000-000000000001';
SET param_p5 = '50';
WITH
  -- Partial counts of pages; a page may have several.
  counted AS (
    SELECT page_id, pageviews, sessions, entries, exits, toUInt64(0) AS converted
    FROM spoor.tracker_page_daily
    WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
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
    LIMIT {p3:UInt64} WITH TIES
  ),
  -- What the pages of the site are called.
  names AS (
    SELECT page_id, host, path, path_fidelity
    FROM spoor.pages FINAL
    WHERE site_id = {p4:UUID}
  )
SELECT toString(top.page_id) AS page_id, names.host AS hostname, names.path AS path, toString(names.path_fidelity) AS path_fidelity,
  pageviews, sessions, entries, exits, converted, total_pages, total_pageviews, total_entries
FROM names
RIGHT JOIN top USING (page_id)
ORDER BY pageviews DESC, hostname, path
LIMIT {p5:UInt64};
