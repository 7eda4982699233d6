SET param_p0 = '2026-03-01';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p6 = '2026-03-01';
SET param_p7 = '2026-03-03 12:00:00.000';
SET param_p8 = '[401,402,403,406,407,451]';
SET param_p9 = '[404,410]';
SET param_p10 = '3';
SET param_p11 = '100';
WITH labelled AS (
  SELECT agent_key, crawler_id, identity
  FROM (
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = {p0:String} AND scope != 'ads'
  )
)
SELECT toString(page) AS page_id, crawler_id, sumIf(refusals, identity = 'unknown') AS requests,
  toString(minIf(on_day, identity = 'unknown')) AS first_day, toString(maxIf(on_day, identity = 'unknown')) AS last_day
FROM (
  SELECT page_id AS page, agent_key, requests AS refusals, day AS on_day
  FROM spoor.page_outcomes_daily
  WHERE (
    (site_id = {p1:UUID})
    AND ((day, build) IN {p2:Array(Tuple(Date, UInt64))})
    AND (((((day BETWEEN {p3:Date} AND {p4:Date})) AND (source_id IN {p5:Array(UUID)}))))
  ) AND day >= {p6:Date} AND method_class IN ('get', 'head')
    AND first_at <= {p7:DateTime64(3, 'UTC')} AND multiIf(
      status = 0, '',
      ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
      status BETWEEN 500 AND 599, 'server_error',
      status = 429, 'rate_limited',
      status IN {p8:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
      status IN {p9:Array(UInt16)}, 'gone',
      status BETWEEN 300 AND 399 AND status != 304, 'redirects',
      '') = 'refused'
) AS refused
INNER JOIN labelled USING (agent_key)
GROUP BY page, crawler_id
HAVING requests >= {p10:UInt64} AND countIf(identity != 'unknown') = 0
ORDER BY requests DESC, page_id, crawler_id
LIMIT {p11:UInt64};
