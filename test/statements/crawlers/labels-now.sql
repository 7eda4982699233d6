SET param_p0 = '2026-03-01';
SELECT toString(groupBitXor(cityHash64(agent_key, crawler_id, purpose, identity, scope))) AS digest
FROM spoor.agent_labels FINAL
WHERE registry_version = {p0:String};
