-- Run on the coordinator as the superuser (docker/compose.citus.yml).
create extension if not exists citus;
select citus_set_coordinator_host('coordinator', 5432);
select citus_add_node(name, 5432) from unnest(array['node-1', 'node-2']) name;
-- Citus does not propagate this statement of roles.sql to the workers.
select run_command_on_workers('revoke all on database postgres, template1 from public');
