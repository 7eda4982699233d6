SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '00000000-0000-4000-8000-000000000061';
SET param_p4 = '00000000-0000-4000-8000-000000000062';
SET param_p5 = '3';
SELECT toString(answers.engine) AS engine, count() AS answers
FROM spoor.counted_answers AS answers FINAL
WHERE ((account_id = {p0:UUID} AND brand_id = {p1:UUID}) AND (mentions_version = {p2:UInt64}) AND ((answers.day, answers.answer_id, answers.revision) IN (
  SELECT answer_mentions.day, answer_mentions.answer_id, answer_mentions.revision
  FROM spoor.answer_mentions FINAL
  WHERE account_id = {p3:UUID} AND brand_id = {p4:UUID} AND mentions_version = {p5:UInt64} AND sentiment = 'unknown')))
GROUP BY engine
ORDER BY engine;
