SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '0';
SET param_p3 = '[(\'2026-03-03\',\'00000000-0000-4000-8000-000000000071\')]';
SET param_p4 = '2000';
SELECT toString(day) AS day, toString(answer_id) AS answer_id, revision, assumeNotNull(text) AS text, cited_spans
FROM spoor.answers FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND isNotNull(text) AND state = 'answered' AND revision >= {p2:UInt64}
  AND (answers.day, answers.answer_id) > {p3:Array(Tuple(Date, UUID))}[1]
ORDER BY answers.day, answers.answer_id
LIMIT {p4:UInt64};
