SET param_p0 = '202603';
SELECT [toString(site_id), toString(day)] AS key, count() AS rows, toString(sum(requests)) AS total,
  toString(sum(cityHash64(`site_id`, `day`, isNull(`edge_action`), ifNull(toString(`edge_action`), '')))) AS hash
FROM spoor.requests FINAL
WHERE toYYYYMM(day) = {p0:UInt64}
GROUP BY site_id, day;
