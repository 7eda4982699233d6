SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SELECT count() AS answers
FROM spoor.counted_answers
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND mentions_version < {p2:UInt64};
