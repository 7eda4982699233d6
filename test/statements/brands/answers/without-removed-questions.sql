SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = '[\'00000000-0000-4000-8000-000000000081\']';
SELECT toString(answers.question_id) AS question_id, count() AS answers
FROM spoor.counted_answers AS answers FINAL
WHERE (
  (account_id = {p0:UUID} AND brand_id = {p1:UUID})
  AND (mentions_version = {p2:UInt64})
  AND (answers.day BETWEEN {p3:Date} AND {p4:Date})
  AND (NOT (answers.question_id IN {p5:Array(UUID)}))
)
GROUP BY question_id
ORDER BY question_id;
