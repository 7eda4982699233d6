SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = '00000000-0000-4000-8000-000000000061';
SET param_p3 = '00000000-0000-4000-8000-000000000062';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000081\']';
DELETE FROM spoor.counted_answers WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID}
  AND answer_id IN (
    SELECT answer_id FROM spoor.answers WHERE account_id = {p2:UUID}
      AND brand_id = {p3:UUID}
      AND question_id IN {p4:Array(UUID)}
  );
