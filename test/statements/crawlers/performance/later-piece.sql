SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 11:59:00.000';
SET param_p3 = '2026-03-03 12:00:00.000';
SET param_p4 = '00000000-0000-4000-8000-000000000001';
SET param_p5 = '[\'2026-03-03\']';
SET param_p6 = '2026-03-03 12:00:00.000';
SET param_p7 = '[7]';
SET param_p8 = '2026-03-01';
SET param_p9 = '2026-03-03';
SET param_p10 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p11 = '2026-03-03 11:59:00.000';
SET param_p12 = '2026-03-03 12:00:00.000';
SET param_p13 = '2026-03-01';
SET param_p14 = '[\'search\',\'training\']';
SET param_p15 = '[\'search\',\'training\']';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, agent_key, status, path_class, requests
    FROM spoor.requests FINAL
      PREWHERE intDiv(event, toUInt64(4294967296)) IN (
        SELECT intDiv(event, toUInt64(4294967296)) FROM spoor.requests
        WHERE site_id = {p0:UUID} AND day IN {p1:Array(Date)} AND (
          (greatest(at, received_at) >= {p2:DateTime64(3, 'UTC')})
          AND (greatest(at, received_at) < {p3:DateTime64(3, 'UTC')})
        )
      )
    WHERE (
      (site_id = {p4:UUID})
      AND (day IN {p5:Array(Date)})
      AND (at <= {p6:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p7:Array(UInt64)})))
      AND (((((day BETWEEN {p8:Date} AND {p9:Date})) AND (source_id IN {p10:Array(UUID)}))))
      AND (
        ((greatest(at, received_at) >= {p11:DateTime64(3, 'UTC')}) AND (greatest(at, received_at) < {p12:DateTime64(3, 'UTC')}))
      )
    )
  ),
  -- What the registry says about each agent.
  labels AS (
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = {p13:String} AND scope != 'ads'
  )
SELECT
  toUInt8(grouping(day, status, purpose, scope, path_class)) AS grouping_id,
  toString(day) AS date,
  crawler_id,
  status,
  purpose,
  scope,
  toString(path_class) AS path_class,
  sumIf(requests, purpose IN {p14:Array(String)}) AS counted,
  sumIf(requests, NOT purpose IN {p15:Array(String)}) AS hidden
FROM counted
INNER JOIN labels USING (agent_key)
GROUP BY GROUPING SETS ((day, crawler_id), (status), (purpose), (scope), (path_class))
ORDER BY grouping_id, date, crawler_id, status, purpose, scope, path_class;
