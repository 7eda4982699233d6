SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '[\'00000000-0000-4000-8000-000000000071\',\'00000000-0000-4000-8000-000000000072\']';
SET param_p4 = '00000000-0000-4000-8000-000000000061';
SET param_p5 = '00000000-0000-4000-8000-000000000062';
SET param_p6 = '[\'00000000-0000-4000-8000-000000000071\',\'00000000-0000-4000-8000-000000000072\']';
WITH
  counted AS (
    SELECT answer_id, day, revision
    FROM spoor.counted_answers
    WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND mentions_version = {p2:UInt64} AND answer_id IN {p3:Array(UUID)}
  )
SELECT toString(answers.answer_id) AS answer_id, toString(argMax(answers.day, answers.revision)) AS day,
  argMax(answers.content_sha256, answers.revision) AS content_sha256, max(answers.revision) AS revision,
  toString(argMax(answers.question_id, answers.revision)) AS question_id
FROM spoor.answers
WHERE account_id = {p4:UUID} AND brand_id = {p5:UUID} AND answers.answer_id IN {p6:Array(UUID)}
  AND (answers.answer_id, answers.day, answers.revision) IN (counted)
GROUP BY answers.answer_id
ORDER BY answer_id;
