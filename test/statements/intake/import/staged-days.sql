SET param_p0 = '00000000-0000-4000-8000-000000000051';
SELECT toString(day) AS name, toYYYYMM(day) AS month, count() AS rows, sum(length(path) + length(user_agent)) AS bytes,
  toUInt64(max(at_ms)) AS through
FROM spoor.import_rows
WHERE delivery_id = {p0:UUID}
GROUP BY day
ORDER BY day;
