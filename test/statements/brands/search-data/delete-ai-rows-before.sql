SET param_p0 = '2026-03-01';
DELETE FROM spoor.search_ai_rows WHERE to_day < {p0:Date};
