-- Its sums are in source_daily since layout 4. A step of its own: that one reads the table whenever it is repeated.
DROP TABLE IF EXISTS spoor.acquisition_daily;
