SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '[(\'2026-03-03\',\'00000000-0000-4000-8000-000000000071\')]';
DELETE FROM spoor.answers WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID}
  AND (day, answer_id) IN {p2:Array(Tuple(Date, UUID))};
