SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SELECT toString(answers.question_id) AS question_id, toString(tracked) AS tracked_id, count() AS naming,
  sum(position) AS position_sum, countIf(answers.own_position = 0) AS without_own
FROM spoor.counted_answers AS answers FINAL
ARRAY JOIN answers.tracked_ids AS tracked, answers.tracked_positions AS position
WHERE (
  (account_id = {p0:UUID} AND brand_id = {p1:UUID})
  AND (mentions_version = {p2:UInt64})
  AND (answers.day BETWEEN {p3:Date} AND {p4:Date})
  AND (answers.state = 'answered')
  AND (1)
)
GROUP BY answers.question_id, tracked
ORDER BY question_id, tracked_id;
