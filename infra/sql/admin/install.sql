-- From an empty database to one that a service can use. Run it with SQLcl as the administrator, in this folder:
--
--   npm run --silent schema -- plan > infra/sql/admin/schema.sql
--   cd infra/sql/admin && sql admin@myadb_low @install.sql
--
-- It asks for the password that the service is to have, and twice for that of the deployer, which acts as the owner
-- while it creates the tables. The tables are made once: where they exist it stops at the first of them, and the
-- scripts after them can be run by themselves, each after settings.sql.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql
@@create_owner.sql
@@create_runtime.sql
CONNECT &deployer[&owner]@&connect_string
@@&schema_script
SET DEFINE ON
WHENEVER SQLERROR EXIT FAILURE ROLLBACK
CONNECT &deployer@&connect_string
@@grant_&runtime_access..sql
