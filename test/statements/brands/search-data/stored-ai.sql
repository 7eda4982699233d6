SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = 'ai_citations';
SET param_p3 = 'bing';
SET param_p4 = '2026-03-01';
SET param_p5 = '2026-03-10';
SELECT page, grounding_query, citations, impressions
FROM spoor.search_ai_rows FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND kind = {p2:String} AND source = {p3:String}
  AND from_day = {p4:Date} AND to_day = {p5:Date}
ORDER BY page, grounding_query;
