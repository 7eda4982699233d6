SET param_p0 = '2026-03-03 11:59:00.000';
SET param_p1 = '2026-03-03 11:59:00.000';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '[\'2026-03-03\']';
SET param_p4 = '2026-03-03 12:00:00.000';
SELECT
  concat(toString(countIf(received_at < {p0:DateTime64(3, 'UTC')})), ' ',
    toString(sumIf(cityHash64(event, received_at), received_at < {p1:DateTime64(3, 'UTC')}))) AS before,
  concat(toString(count()), ' ', toString(sum(cityHash64(event, received_at)))) AS now
FROM spoor.requests
WHERE site_id = {p2:UUID} AND day IN {p3:Array(Date)} AND received_at < {p4:DateTime64(3, 'UTC')};
