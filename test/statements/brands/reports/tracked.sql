SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = '00000000-0000-4000-8000-000000000061';
SET param_p6 = '00000000-0000-4000-8000-000000000062';
SET param_p7 = '2026-03-01';
SET param_p8 = '2026-03-03';
WITH
  named AS (
    SELECT answer_id, revision, tracked_id, position, max(is_own) OVER (PARTITION BY answer_id, revision) AS names_own
    FROM spoor.answer_mentions FINAL
    WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND mentions_version = {p2:UInt64} AND day BETWEEN {p3:Date} AND {p4:Date}
  )
SELECT toString(answers.question_id) AS question_id, toString(named.tracked_id) AS tracked_id, count() AS naming,
  toUInt64(sum(position)) AS position_sum, countIf(names_own = 0) AS without_own
FROM spoor.answers FINAL
INNER JOIN named ON named.answer_id = answers.answer_id AND named.revision = answers.revision
WHERE (
  (account_id = {p5:UUID} AND brand_id = {p6:UUID})
  AND (answers.day BETWEEN {p7:Date} AND {p8:Date})
  AND (answers.state = 'answered')
  AND (1)
)
GROUP BY question_id, tracked_id
ORDER BY question_id, tracked_id;
