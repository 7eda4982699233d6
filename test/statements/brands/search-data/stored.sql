SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = 'google';
SET param_p3 = 'sc-domain:example.com';
SET param_p4 = 'web';
SET param_p5 = 'page';
SET param_p6 = '[\'2026-03-01\',\'2026-03-02\']';
SELECT toString(day) AS day, toString(last_day) AS last_day, page, query, country, device, clicks, impressions, position
FROM spoor.search_rows FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND source = {p2:String} AND property = {p3:String} AND search_type = {p4:String}
  AND dimensions = {p5:String} AND search_rows.day IN {p6:Array(Date)}
ORDER BY day, last_day, page, query, country, device;
