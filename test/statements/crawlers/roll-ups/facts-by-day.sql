SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\']';
SELECT toString(day) AS name, count() AS facts, toUInt64(min(_part_index) = max(_part_index)) AS is_in_one_part
FROM spoor.requests
WHERE site_id = {p0:UUID} AND day IN {p1:Array(Date)}
GROUP BY day;
