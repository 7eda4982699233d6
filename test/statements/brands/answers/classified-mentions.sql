SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '[(\'2026-03-03\',\'00000000-0000-4000-8000-000000000071\')]';
SELECT toString(answer_mentions.answer_id) AS answer_id, toString(answer_mentions.tracked_id) AS tracked_id,
  toString(argMax(answer_mentions.sentiment, answer_mentions.revision)) AS sentiment
FROM spoor.answer_mentions FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND mentions_version = {p2:UInt64} AND (
  answer_mentions.day,
  answer_mentions.answer_id
) IN {p3:Array(Tuple(Date, UUID))}
GROUP BY answer_id, tracked_id
ORDER BY answer_id, tracked_id;
