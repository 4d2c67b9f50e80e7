-- Row isolation in the database (ROW_ISOLATION=vpd): a session sees and changes only rows of the users that it is
-- restricted to, every row when it is not restricted, and nothing before it has said which. docs/row-isolation.md says
-- what that protects against. Needs Enterprise Edition, an Autonomous Database or Oracle Database Free (DBMS_RLS).
--
-- Run it with SQLcl as the administrator, in this folder, after install.sql; then set ROW_ISOLATION=vpd everywhere,
-- because a service that does not say whose rows it wants sees none:
--
--   sql admin@myadb_low @row_isolation.sql
--
-- Can be run again. drop_row_isolation.sql removes it.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql
@@create_row_access.sql
@@add_row_policies.sql
@@grant_row_access.sql
