SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '00000000-0000-4000-8000-000000000061';
SET param_p4 = '00000000-0000-4000-8000-000000000062';
SET param_p5 = '3';
SET param_p6 = '2026-03-03';
SET param_p7 = '2026-03-03';
SET param_p8 = '00000000-0000-4000-8000-000000000071';
SET param_p9 = '50';
SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id
FROM spoor.counted_answers AS answers FINAL
WHERE ((account_id = {p0:UUID} AND brand_id = {p1:UUID}) AND (mentions_version = {p2:UInt64}) AND ((answers.day, answers.answer_id, answers.revision) IN (
  SELECT answer_mentions.day, answer_mentions.answer_id, answer_mentions.revision
  FROM spoor.answer_mentions FINAL
  WHERE account_id = {p3:UUID} AND brand_id = {p4:UUID} AND mentions_version = {p5:UInt64} AND sentiment = 'unknown')) AND (
    (answers.day < {p6:Date} OR (answers.day = {p7:Date} AND answers.answer_id > {p8:UUID}))
  ))
ORDER BY answers.day DESC, answers.answer_id
LIMIT {p9:UInt64};
