SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-03 12:00:00.000';
SELECT toString(day) AS day, count() AS stored
FROM spoor.requests
WHERE ((site_id = {p0:UUID}) AND (received_at <= {p1:DateTime64(3, 'UTC')}))
GROUP BY day
ORDER BY day;
