-- page_daily had nearly as many rows as page_outcomes_daily, from which every answer now reads pages. crawler_daily is derived from it too,
-- so it needs the class of a path; rows of builds before this have the default, and nothing is derived from those.
ALTER TABLE spoor.page_outcomes_daily
  ADD COLUMN IF NOT EXISTS path_class Enum8('content' = 1, 'infrastructure' = 2) AFTER edge_action;

DROP TABLE IF EXISTS spoor.page_daily;
