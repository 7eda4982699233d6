SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '[\'00000000-0000-4000-8000-000000000081\']';
SET param_p3 = '5000';
SELECT DISTINCT toString(answers.day) AS day, toString(answers.answer_id) AS answer_id
FROM spoor.answers FINAL
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND question_id IN {p2:Array(UUID)}
LIMIT {p3:UInt64};
