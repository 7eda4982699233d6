SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '3';
SET param_p3 = '2026-03-01';
SET param_p4 = '2026-03-03';
SET param_p5 = '[\'chatgpt\',\'claude\']';
SET param_p6 = 'CH';
SET param_p7 = '[\'00000000-0000-4000-8000-000000000081\']';
SET param_p8 = 'answered';
SET param_p9 = 'acme.example';
SET param_p10 = '.acme.example';
SET param_p11 = '0';
SET param_p12 = '51';
SELECT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id,
  toUInt64(toUnixTimestamp64Milli(answers.asked_at)) AS asked_ms
FROM spoor.counted_answers AS answers FINAL
WHERE (
  (account_id = {p0:UUID} AND brand_id = {p1:UUID})
  AND (mentions_version = {p2:UInt64})
  AND (answers.day BETWEEN {p3:Date} AND {p4:Date})
  AND (answers.engine IN {p5:Array(String)})
  AND (answers.country = {p6:String})
  AND ((answers.question_id IN {p7:Array(UUID)}))
  AND (answers.state = {p8:String})
  AND (answers.state = 'answered')
  AND (answers.own_position > 0)
  AND (answers.citations_observed = 1)
  AND (
    (
      arrayCount(domain -> (domain = {p9:String} OR endsWith(domain, {p10:String})), answers.cited_domains) > 0
    ) = {p11:UInt64}
  )
)
ORDER BY answers.asked_at DESC, toUInt128(answers.answer_id)
LIMIT {p12:UInt64};
