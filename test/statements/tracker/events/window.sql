SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\',\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '[\':host\',\':file\']';
SET param_p4 = '[\'signup\\nseats\']';
SET param_p5 = '[\'signup\\nseats\']';
SET param_p6 = '5';
SET param_p7 = '[\':host\',\':file\']';
SET param_p8 = '[\'signup\\nplan\',\'signup\\ntrial\']';
SET param_p9 = '[\'signup\\nseats\']';
SET param_p10 = '200';
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
  -- One row for each event, and one for each property and target that it carries.
  carried AS (
    SELECT day, visitor, stream, name, concat(name, '\n', prop_key) AS declared, prop_key, prop_value
    FROM named
    ARRAY JOIN arrayConcat([''], arrayMap(key -> toString(key), mapKeys(props))) AS prop_key,
      arrayConcat([''], mapValues(props)) AS prop_value
  ),
  -- The same, added up by name, by target, and by declared property and value.
  counted AS (
    SELECT if(prop_key IN {p3:Array(String)}, '', name) AS of_name, prop_key AS of_key,
      if(declared IN {p4:Array(String)}, '', prop_value) AS of_value,
      count() AS events, countIf(stream = 'server') AS server_events,
      uniqExactIf((day, visitor), stream != 'server') AS visitor_days,
      toString(sum(toInt128(if(declared IN {p5:Array(String)}, toInt64OrZero(prop_value), 0)))) AS total,
      visitor_days > 0 AND visitor_days < {p6:UInt64} AS is_withheld
    FROM carried
    WHERE prop_key = '' OR prop_key IN {p7:Array(String)} OR declared IN {p8:Array(String)}
      OR (declared IN {p9:Array(String)} AND toInt64OrNull(prop_value) IS NOT NULL)
    GROUP BY of_name, of_key, of_value
  )
SELECT of_name, of_key, of_value, events, server_events, visitor_days, total, is_withheld,
  count() OVER list AS list_rows, countIf(is_withheld) OVER list AS list_withheld,
  sumIf(counted.events, NOT is_withheld) OVER list AS list_events
FROM counted
WINDOW list AS (PARTITION BY if(of_key = '', '', of_name), of_key)
ORDER BY is_withheld, events DESC, of_name, of_key, of_value
LIMIT {p10:UInt64} BY if(of_key = '', '', of_name), of_key;
