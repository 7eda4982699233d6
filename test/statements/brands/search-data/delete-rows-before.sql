SET param_p0 = '2026-03-01';
DELETE FROM spoor.search_rows WHERE last_day < {p0:Date};
