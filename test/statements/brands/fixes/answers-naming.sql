SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000081\']';
SET param_p5 = '00000000-0000-4000-8000-000000000061';
SET param_p6 = '00000000-0000-4000-8000-000000000062';
SET param_p7 = '3';
SET param_p8 = '5';
SELECT toString(answers.question_id) AS question_id, toString(answers.answer_id) AS answer_id
FROM spoor.answers FINAL
WHERE (
  (account_id = {p0:UUID} AND brand_id = {p1:UUID})
  AND (answers.day BETWEEN {p2:Date} AND {p3:Date})
  AND (answers.state = 'answered')
)
  AND answers.question_id IN {p4:Array(UUID)}
  AND (answers.answer_id, answers.revision) IN (
    SELECT answer_id, revision FROM spoor.answer_mentions
    WHERE account_id = {p5:UUID} AND brand_id = {p6:UUID} AND mentions_version = {p7:UInt64}
  )
ORDER BY question_id, answers.asked_at DESC, answer_id
LIMIT {p8:UInt64} BY question_id;
