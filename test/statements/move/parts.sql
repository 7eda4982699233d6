SELECT table, partition_id AS partition, name, rows, bytes_on_disk AS bytes
FROM system.parts
WHERE database = 'spoor' AND active
ORDER BY table, partition, name;
