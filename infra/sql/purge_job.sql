-- Daily job that removes expired records with their retrieval rows and earlier forms, and such rows without a record, 1,000
-- at a time with a commit after each, for one day at most. Needs CREATE JOB, nothing else: its action is in the job.
--
-- To run it by hand with SQLcl:
--   DEFINE prefix = ''
--   @purge_job.sql

BEGIN
  DBMS_SCHEDULER.CREATE_JOB(
    job_name => '&prefix.PURGE_EXPIRED_RECORDS_J',
    job_type => 'PLSQL_BLOCK',
    job_action => q'[DECLARE
  TYPE t_texts IS TABLE OF VARCHAR2(128 CHAR) INDEX BY PLS_INTEGER;
  l_families t_texts;
  l_ids t_texts;
  l_end TIMESTAMP WITH TIME ZONE := SYSTIMESTAMP + INTERVAL '1' DAY;
BEGIN
  LOOP
    SELECT r.record_family, r.record_id BULK COLLECT INTO l_families, l_ids
      FROM &prefix.MEMORY_RECORD r
      WHERE r.expires_at <= SYSTIMESTAMP AND ROWNUM <= 1000;
    EXIT WHEN l_ids.COUNT = 0;
    FORALL i IN 1 .. l_ids.COUNT
      DELETE FROM &prefix.MEMORY_RECORD r
      WHERE r.record_family = l_families(i) AND r.record_id = l_ids(i) AND r.expires_at <= SYSTIMESTAMP;
    FORALL i IN 1 .. l_ids.COUNT
      DELETE FROM &prefix.MEMORY_CHUNK c
      WHERE c.record_family = l_families(i) AND c.record_id = l_ids(i)
        AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
          WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
    FORALL i IN 1 .. l_ids.COUNT
      DELETE FROM &prefix.MEMORY_HISTORY h
      WHERE h.record_family = l_families(i) AND h.record_id = l_ids(i)
        AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
          WHERE r.record_family = h.record_family AND r.record_id = h.record_id);
    COMMIT;
    EXIT WHEN SYSTIMESTAMP >= l_end;
  END LOOP;
  LOOP
    DELETE FROM &prefix.MEMORY_CHUNK c
    WHERE ROWNUM <= 1000
      AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
        WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
    EXIT WHEN SQL%ROWCOUNT = 0;
    COMMIT;
    EXIT WHEN SYSTIMESTAMP >= l_end;
  END LOOP;
  LOOP
    DELETE FROM &prefix.MEMORY_HISTORY h
    WHERE ROWNUM <= 1000
      AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
        WHERE r.record_family = h.record_family AND r.record_id = h.record_id);
    EXIT WHEN SQL%ROWCOUNT = 0;
    COMMIT;
    EXIT WHEN SYSTIMESTAMP >= l_end;
  END LOOP;
  COMMIT;
END;]',
    start_date => SYSTIMESTAMP,
    repeat_interval => 'FREQ=DAILY',
    enabled => TRUE,
    auto_drop => FALSE,
    comments => 'Removes expired records of agent memory');
END;
/
