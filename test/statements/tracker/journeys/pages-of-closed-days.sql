SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '[1002,1005]';
SELECT toString(
  bitOr(bitShiftLeft(bitOr(bitShiftRight(spoor.journey_daily.journey, 1), 1), 1), toUInt8(is_continued)) AS key
) AS journey,
  arrayMap(page -> toString(page), any(pages)) AS pages
FROM spoor.journey_daily
WHERE (
  (site_id = {p0:UUID})
  AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)})))
) AND key IN {p3:Array(UInt64)}
GROUP BY key;
