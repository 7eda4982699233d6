SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[31]';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000022\']';
SET param_p5 = '[\'2026-03-02\']';
SELECT 'stored' AS kind, toString(definition_id) AS definition, toUInt16(0) AS batch, toUInt16(step) AS bit,
  sum(sessions) AS sessions, sum(ambiguous) AS ambiguous,
  CAST([], 'Array(String)') AS masks, CAST([], 'Array(UInt32)') AS offsets, CAST([], 'Array(String)') AS requests
FROM spoor.definition_daily
WHERE site_id = {p0:UUID} AND definition_id IN {p1:Array(UUID)} AND (
  ((day IN {p2:Array(Date)}) AND (build IN {p3:Array(UInt64)}))
)
  AND NOT (definition_id IN {p4:Array(UUID)} AND day IN {p5:Array(Date)})
GROUP BY definition_id, step;
