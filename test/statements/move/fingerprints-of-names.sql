SELECT [
  toString(site_id),
  toString(toUInt64(page_id % 64))
] AS key, count() AS rows, toString(sum(toUInt64(0))) AS total,
  toString(sum(cityHash64(`path`))) AS hash
FROM spoor.pages FINAL
WHERE 1
GROUP BY site_id, toUInt64(page_id % 64);
