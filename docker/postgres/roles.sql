-- Run by roles.sh as the superuser. :api_user, :api_password and the others come from the secrets.
set client_min_messages = warning;
begin;

-- The privileges of the API belong to a role without a login. Two logins alternate, so that a password
-- can be rotated while replicas use either of them.
select format('create role %I nologin', name)
  from unnest(array['rental_api', :'api_user', :'owner_user', :'backup_user', :'monitor_user']) name
  where not exists (select from pg_roles where rolname = name) \gexec

alter role :"api_user" login password :'api_password';
alter role :"owner_user" login password :'owner_password';
-- Reads everything and writes no rows. pgBackRest needs the settings and the functions.
alter role :"backup_user" login noreplication password :'backup_password';
alter role :"monitor_user" login password :'monitor_password';
grant rental_api to :"api_user";
grant pg_read_all_data, pg_read_all_settings to :"backup_user";
grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean), pg_switch_wal(),
  pg_create_restore_point(text) to :"backup_user";
grant pg_monitor to :"monitor_user";

select format('alter role %I nologin', member.rolname)
  from pg_auth_members
  join pg_roles as member on member.oid = pg_auth_members.member
  where roleid = 'rental_api'::regrole and member.rolname <> :'api_user' and :'retire' = 'true' \gexec

-- By default every role may connect and create objects.
revoke all on database rental, postgres, template1 from public;
grant connect on database rental to rental_api, :"backup_user", :"monitor_user";

-- The role that migrates owns everything, including objects an earlier release created as superuser.
alter database rental owner to :"owner_user";
create schema if not exists drizzle;
alter schema drizzle owner to :"owner_user";
select format('alter %s %s owner to %I',
    case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
    pg_class.oid::regclass, :'owner_user')
  from pg_class
  where relnamespace in ('public'::regnamespace, 'drizzle'::regnamespace)
    and relkind in ('r', 'p', 'v', 'S') and relowner <> :'owner_user'::regrole
    -- A sequence that a column owns changes its owner with the table.
    and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i', 'e')
                    and classid = 'pg_class'::regclass and refobjsubid > 0) \gexec
select format('alter routine %s owner to %I', pg_proc.oid::regprocedure, :'owner_user')
  from pg_proc
  where pronamespace = 'public'::regnamespace and proowner <> :'owner_user'::regrole
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') \gexec

grant usage on schema public, drizzle to rental_api;
grant select, insert, update, delete on all tables in schema public to rental_api;
grant usage on all sequences in schema public to rental_api;
-- The readiness check reads whether migrations are pending.
grant select on all tables in schema drizzle to rental_api;
alter default privileges for role :"owner_user" in schema public
  grant select, insert, update, delete on tables to rental_api;
alter default privileges for role :"owner_user" in schema public
  grant usage on sequences to rental_api;
alter default privileges for role :"owner_user" in schema drizzle grant select on tables to rental_api;
commit;

-- Ends the sessions of roles that may no longer log in, on all nodes.
\set leave 'select pg_terminate_backend(pid) from pg_stat_activity join pg_roles on rolname = usename where not rolcanlogin'
:leave;
select format('select run_command_on_workers(%L)', :'leave') from pg_extension where extname = 'citus' \gexec
