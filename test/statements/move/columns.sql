SELECT table, name, type
FROM system.columns
WHERE database = 'spoor' AND default_kind NOT IN ('MATERIALIZED', 'ALIAS')
ORDER BY table, position;
