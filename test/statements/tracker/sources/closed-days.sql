SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '20001';
SELECT dimension, identity, sum(counted.sessions) AS sessions, sum(counted.pageviews) AS pageviews
FROM (
  SELECT toString(dimension) AS dimension, toString(identity) AS identity, sessions, pageviews
  FROM spoor.source_daily
  WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
) AS counted
GROUP BY dimension, identity
LIMIT {p3:UInt64} BY dimension;
