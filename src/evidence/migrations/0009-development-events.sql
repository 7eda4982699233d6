-- Events from a site's development origins, in the same table and a stream of their own: only answers that ask for
-- them read it.
ALTER TABLE spoor.events
  MODIFY COLUMN stream Enum8('browser' = 1, 'server' = 2, 'bot' = 3, 'development' = 4);
