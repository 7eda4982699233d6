SET param_p0 = '10';
SET param_p1 = '10';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '[\'2026-03-01\']';
SET param_p4 = '[11]';
INSERT INTO spoor.journey_daily (site_id, day, build, journey, pages, is_continued, sessions)
WITH
  -- The pages of each session, consecutive repeats folded, cut where a journey is.
  walks AS (
    SELECT site_id, day, build, arrayCompact(arrayFilter(page -> page != 0, pages)) AS folded,
      arraySlice(folded, 1, {p0:UInt64}) AS walked, length(folded) > {p1:UInt64} AS is_continued
    FROM spoor.sessions WHERE ((site_id = {p2:UUID}) AND (((day IN {p3:Array(Date)}) AND (build IN {p4:Array(UInt64)}))))
  )
SELECT site_id, day, build, cityHash64(walked) AS journey, any(walked), is_continued, count()
FROM walks
WHERE notEmpty(walked)
GROUP BY site_id, day, build, journey, is_continued;
