SET param_p0 = '[\'202603_1_1_0\']';
SELECT [toString(site_id), toString(day)] AS key
FROM spoor.requests
WHERE _part IN {p0:Array(String)}
GROUP BY site_id, day;
