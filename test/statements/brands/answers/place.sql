SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '00000000-0000-4000-8000-000000000071';
SET param_p4 = '1';
SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id,
  toUInt64(toUnixTimestamp64Milli(answers.asked_at)) AS asked_ms
FROM spoor.counted_answers AS answers FINAL
WHERE (
  (account_id = {p0:UUID} AND brand_id = {p1:UUID})
  AND (mentions_version = {p2:UInt64})
  AND (answers.answer_id = {p3:UUID})
)
ORDER BY answers.asked_at DESC, toUInt128(answers.answer_id)
LIMIT {p4:UInt64};
