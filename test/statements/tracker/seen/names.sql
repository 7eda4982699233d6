SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\',\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '5';
SET param_p4 = '[\':host\',\':file\']';
SET param_p5 = 'pri';
SET param_p6 = '51';
WITH
  -- Named events of visitors and of customers' servers, each once.
  named AS (
    SELECT day, visitor, stream, toString(name) AS name, props
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p0:UUID})
      AND (day IN {p1:Array(Date)})
      AND (((stream = 'browser') OR (stream = 'server')))
      AND (kind != 'pageview')
      AND (received_at <= {p2:DateTime64(3, 'UTC')})
    )
  ),
  -- The same by name, and by name and key.
  counted AS (
    SELECT name, key, count() AS events, uniqExactIf((day, visitor), stream != 'server') AS visitor_days,
      visitor_days > 0 AND visitor_days < {p3:UInt64} AS is_withheld
    FROM (
      SELECT day, visitor, stream, name, arrayJoin(arrayConcat([''], arrayMap(each -> toString(each), mapKeys(props)))) AS key
      FROM named
    )
    WHERE key NOT IN {p4:Array(String)} AND positionCaseInsensitiveUTF8(if(key = '', name, key), {p5:String}) > 0
    GROUP BY name, key
  )
SELECT name, key, events, is_withheld,
  countIf(is_withheld) OVER list AS list_withheld, count() OVER list AS list_rows
FROM counted
WINDOW list AS (PARTITION BY key = '')
ORDER BY is_withheld, events DESC, name, key
LIMIT {p6:UInt64} BY key = '';
