SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-10';
SET param_p4 = '[\'https://example.com/a\']';
SELECT toString(kind) AS kind, toString(source) AS source, toString(from_day) AS from, toString(to_day) AS to, page,
  citations, impressions, revision
FROM spoor.search_ai_rows FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND from_day >= {p2:Date} AND to_day <= {p3:Date}
  AND (page IN {p4:Array(String)})
ORDER BY page, kind, source, revision DESC, from_day DESC;
