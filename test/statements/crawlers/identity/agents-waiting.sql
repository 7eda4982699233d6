SET param_p0 = '[\'00000000-0000-4000-8000-000000000061\']';
SELECT toString(key) AS agent_key, user_agent, proof
FROM (
  SELECT agent_key AS key,
    any(user_agent) AS user_agent,
    any(proof) AS proof FROM spoor.agents GROUP BY key
) AS agents
WHERE JSONExtractString(proof, 'rdns', 'pending') IN {p0:Array(String)}
ORDER BY key;
