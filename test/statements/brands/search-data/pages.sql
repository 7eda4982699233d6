SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = 'google';
SET param_p3 = 'sc-domain:example.com';
SET param_p4 = 'web';
SET param_p5 = 'page';
SET param_p6 = '2026-03-01';
SET param_p7 = '2026-03-10';
SET param_p8 = '50';
SET param_p9 = '0';
SELECT page AS name, sum(search_rows.clicks) AS clicks,
  sum(search_rows.impressions) AS impressions,
  sumIf(search_rows.impressions, isNotNull(position)) AS position_weight,
  sumIf(assumeNotNull(position) * search_rows.impressions, isNotNull(position)) AS position_sum,
  uniqExact(day) AS days
FROM spoor.search_rows FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND source = {p2:String} AND property = {p3:String} AND search_type = {p4:String}
  AND dimensions = {p5:String} AND search_rows.day >= {p6:Date} AND last_day <= {p7:Date} AND last_day = search_rows.day
  AND 1
GROUP BY name
ORDER BY clicks DESC, impressions DESC, name
LIMIT {p8:UInt64} OFFSET {p9:UInt64};
