-- The account of the service. It may log in and, until grant_tables.sql has run, nothing else.
--
-- Needs settings.sql. Can be run again: the password is then the one that is given now.

-- SQLcl would print the statement with the password in it.
SET VERIFY OFF
ACCEPT runtime_password CHAR PROMPT 'Password of the service (&runtime): ' HIDE

CREATE USER IF NOT EXISTS &runtime. NO AUTHENTICATION;

ALTER USER &runtime. IDENTIFIED BY "&runtime_password." QUOTA 0 ON &tablespace.;

GRANT CREATE SESSION TO &runtime.;

UNDEFINE runtime_password
