SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '[\'00000000-0000-4000-8000-000000000071\',\'00000000-0000-4000-8000-000000000072\']';
SELECT toString(answer_id) AS answer_id, argMax(answers.content_sha256, answers.revision) AS content_sha256,
  max(answers.revision) AS revision
FROM spoor.answers
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND answers.answer_id IN {p2:Array(UUID)}
GROUP BY answer_id
ORDER BY answer_id;
