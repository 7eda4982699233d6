/** What to do about each finding, for the person at the machine; docs/operating/doctor.md lists them all. */
import type { ManagementOutput } from '#contract/management-api/index.ts'
import type { Circumstance, FINDINGS, Finding, FindingCode } from '#health/findings.ts'

/** Everything that is well needs none. */
type CodeOfTrouble = { [C in FindingCode]: (typeof FINDINGS)[C]['level'] extends 'ok' ? never : C }[FindingCode]

const ADVICE: Record<CodeOfTrouble, string> = {
  configuration_refused: 'Correct the named environment variable.',
  configuration_unknown: 'Correct its name, see docs/configuration.md, or remove it.',
  data_folder_missing: 'Check --data or SPOOR_DATA. To make a new installation: spoor serve.',
  installation_missing: 'Check --data, SPOOR_DATA and SPOOR_DATABASE_URL. To make a new installation: spoor serve.',
  data_folder_not_private: 'Run chmod 700 on it.',
  data_folder_unusable:
    'Name a folder with --data or SPOOR_DATA. If it is one, run the command as the user of the service, or give the folder to this user.',
  free_space_low: 'Free some space on that disk soon.',
  free_space_out: 'Free some space on that disk. Nothing stored is lost, and what was refused can be repeated.',
  server_silent: 'Kill it (kill -9) and start it again; under the launcher that happens by itself.',
  folder_busy: 'Wait for the other command to end, or end it.',
  stores_not_opened: 'Do what the message says; if a store is damaged, restore a backup.',
  stores_outdated: 'Make a backup with the release before, then start the service, which brings them up to date.',
  control_store_failed:
    'Check the disk and its permissions, and start the service again. With PostgreSQL check the server and the network: the service reconnects by itself.',
  control_server_old: 'Move the database to a newer server: pg_dump, then pg_restore.',
  control_server_clock:
    'Synchronise both by NTP: Spoor uses the clock of its machine, and processes on several machines must agree.',
  node_silent:
    'Start it again; if its disk is gone for good, give it up: spoor node lost NODE. spoor node list shows what waits on it.',
  node_clock: 'Run NTP on every node and on the database server; until its clock agrees, /readyz of the node is 503.',
  stores_apart: 'Do what the message says; used together, the two stores would show unknown counts as zero.',
  control_store_lost:
    'Restore a backup, correct SPOOR_DATABASE_URL, or move the evidence away; until then the service does not start.',
  stores_moved: 'Give the service and every command the settings of the servers: docs/operating/moving.md.',
  evidence_store_failed: 'Look into the log, check disk and memory, and start the service again.',
  evidence_table_missing: 'Look into the system log for a fault of the disk, then restore a backup.',
  quotas_failed:
    'Check the disk and its permissions. If the file is damaged, stop the service, move quotas.sqlite, quotas.sqlite-wal and quotas.sqlite-shm away, and start it again: counting begins at zero.',
  secret_key_differs:
    'Set SPOOR_SECRET_KEY to that key, or put its secret.key into the data folder, and start the service again: nothing sealed was overwritten. If the key is lost, enter these secrets again.',
  order_keys_replaced:
    'If the earlier secret key is still there, start the service with it: the earlier order keys are in force again. Else revenue compares only orders from after the change; this warning ends by itself.',
  cluster_servers_failed: 'Check the address, user and password in SPOOR_CLICKHOUSE_URL, and the server itself.',
  cluster_topology_failed:
    'Compare remote_servers and macros in the configuration of the servers, and SPOOR_CLICKHOUSE_CLUSTER.',
  cluster_tables_failed:
    'Start the service: it creates the tables of a new layout. On a replica that was added later, run what SHOW CREATE TABLE prints for them on another one.',
  cluster_replicas_failed:
    'Look at system.replicas and at the log of that server; without its Keeper a replica is read-only.',
  cluster_settings_failed:
    'The user’s profile fixes these settings: remove their constraints and readonly from it, so that a statement may set them.',
  cluster_changes_failed:
    'Start the servers that are down. If all are up, look at system.distributed_ddl_queue and at the log of the named server.',
  cluster_writes_failed: 'Start the replicas that are down. If all are up, look at the log of the named server.',
  cluster_reads_refused: 'This ends when the replica has caught up; if it does not, look at its replication queue.',
  cluster_reads_differ:
    'Do not use these servers for evidence: answers would be too small. Report it with the versions.',
  cluster_deletions_failed: 'Look at system.mutations; a deletion waits for every replica, also for one that is down.',
  thread_pool_small: 'Start through the launcher (spoor serve), or set UV_THREADPOOL_SIZE=16.',
  open_files_few: 'Raise the limit: ulimit -n, or LimitNOFILE=65536 of systemd.',
  registry_missing: 'Start the service once; it loads the registry it ships.',
  registry_behind: 'Put the newer one in force when it suits you: spoor registry use VERSION.',
  registry_old: 'New crawlers stay unlabelled: update Spoor, or load a newer registry with spoor registry update.',
  lists_missing: 'A running service loads them within minutes. To load them now: spoor registry lists update.',
  lists_stale: 'Load it again: spoor registry lists update.',
  lists_failing: 'spoor registry lists list says why; the service tries again every hour.',
  sites_missing: 'Add one: spoor site add example.com.',
  source_missing: 'Import a log: spoor import SITE FILE. A site that only measures visits needs none.',
  zone_failing:
    'Failures at Cloudflare end by themselves, and the hours are read later. For not_permitted and zone_missing correct the token at Cloudflare; for field_refused use Logpush; for token_unreadable connect the zone again: spoor source connect.',
  zone_revoked: 'Give it a new one: spoor source connect DOMAIN --zone --token-file FILE.',
  source_broken: 'Repeat that import; nothing is counted twice.',
  intake_silent:
    'Look at the log of the program that sends; spoor source sender list SOURCE shows when each sender delivered last. If nothing sends any more: spoor source disconnect SOURCE.',
  source_not_primary: 'Make one primary; until then its days are gaps.',
  source_silent:
    'Import the logs since then: spoor import SITE FILE. To read an archive as of its time: spoor serve --clock INSTANT.',
  tracker_silent:
    'Check that the snippet is on its pages and can reach this service; otherwise disable the tracker: spoor tracker disable SITE.',
  snippet_missing: 'Put the snippet on the site’s pages; if a tag manager inserts it, days without events stay gaps.',
  snippet_not_inspected:
    'Days without events stay gaps until it can; for an address of your own network see docs/operating/outgoing.md.',
  events_refused:
    'Correct the sender: docs/operating/collection.md explains each reason. With rate_limited, backlog_full, not_durable, store_unavailable, internal_error, spool_damaged or not_stored, visitors’ events were lost and the days are partial.',
  proxy_hides_addresses:
    'Set SPOOR_TRUSTED_PROXIES to the address or network of the proxy in front of the service, and start it again: until then all visitors look like one.',
  delivery_broken: 'Repeat that import; nothing is counted twice.',
  dirty_days_waiting: 'Start the service if it does not run; otherwise its log says why the rebuild fails.',
  inspections_waiting: 'Start the service if it does not run; otherwise its log says why inspections are not made.',
  inspections_deferred: 'Nothing is lost: they are made in the next hours, the most harmed paths first.',
  inspections_not_made: 'The log says why; no issue changes because an inspection was not made.',
  inspections_unnamed:
    'Set SPOOR_PUBLIC_URL to an address that others can reach, so that owners of sites can see who sends the requests.',
  engine_key_rejected: 'Give it another one: spoor engine set-key ENGINE. Other engines are still asked.',
  engine_unusable: 'Add credit at the provider, or name another model: spoor engine configure ENGINE --model NAME.',
  engine_budget_used: 'Raise it (spoor engine budget ENGINE), or wait for the next month; what is not asked is a gap.',
  scan_failing: 'spoor scan list --brand BRAND names the codes; spoor engine test ENGINE asks it one question.',
  deprecated_routes_used:
    'Change the program to the routes that docs/account-api names instead; SPOOR_DEPRECATED_ROUTES=off shows whether it works without them.',
  alert_receiver_off:
    'Correct the receiver, then spoor alert test SITE RECEIVER switches it on again; or remove it: spoor alert remove SITE RECEIVER.',
  alerts_waiting:
    'spoor alert delivery list SITE shows the result of each attempt; a service must run without --clock.',
  alerts_failed: 'spoor alert delivery list SITE says why; what was given up is not sent again.',
  clock_moved: 'Set the time of the machine (NTP), and start the service again.',
  clock_behind: 'Check the time of the machine (NTP); evidence after the service clock is not counted.',
  clock_jumped:
    'If the date is wrong, set it (NTP): then nothing has been deleted. If the service was stopped for that long, do nothing.',
  job_failing: 'The log says why; the job is tried again after growing pauses.',
  job_stuck: 'Start the service again; if the job is stuck again, the log says what it waits for.',
  job_overdue: 'The log says why it cannot start; check that the clocks of all processes agree (NTP).',
  metrics_not_listening: 'Set SPOOR_METRICS_LISTEN to another HOST:PORT, or to off, and start the service again.',
  watchdog_off: 'Start it through the launcher with SPOOR_WATCHDOG_SECONDS above 0.',
}

const IMPORT_LIST = 'spoor registry lists import FILE --list ID'

/** What helps instead where the usual advice does not. */
export const ADVICE_IN: Record<Circumstance, Partial<Record<CodeOfTrouble, string>>> = {
  simulated_clock: {
    lists_missing: `Under --clock the service sends no requests to other servers: import lists from files: ${IMPORT_LIST}.`,
    lists_stale: `Under --clock the service sends no requests to other servers: import a newer list from a file: ${IMPORT_LIST}.`,
    lists_failing: 'The failure happened in a run without --clock; under --clock nothing is loaded.',
    source_silent: 'Import the logs up to this clock, or start with an earlier one: spoor serve --clock INSTANT.',
    inspections_waiting: 'Under --clock nothing is inspected; start without it.',
    clock_moved: 'That is what --clock does. For live evidence start without it.',
    clock_behind:
      'Start with a later clock: spoor serve --clock INSTANT. Evidence after the service clock is not counted.',
    zone_failing: 'Under --clock zones are not polled; start without it.',
    snippet_missing: 'Under --clock pages are not inspected again; start without it.',
    snippet_not_inspected: 'Under --clock pages are not inspected; start without it.',
  },
  offline: {
    lists_missing: `This machine seems to have no internet: fetch the lists elsewhere (spoor registry lists list names their URLs), then: ${IMPORT_LIST}.`,
    lists_stale: `This machine seems to have no internet: fetch the list elsewhere, then: ${IMPORT_LIST}.`,
    lists_failing: `Every list failed, so this machine seems to have no internet: fetch them elsewhere, then: ${IMPORT_LIST}.`,
    registry_old: 'Fetch a newer registry elsewhere, then: spoor registry update FILE.',
    snippet_not_inspected:
      'This machine seems to have no internet: pages cannot be inspected, and days without events stay gaps.',
  },
}

/** Empty when there is nothing to do. */
export function adviceFor(code: FindingCode, circumstance?: Circumstance): string {
  const trouble = code as CodeOfTrouble
  const special = circumstance === undefined ? undefined : ADVICE_IN[circumstance][trouble]
  return special ?? (code in ADVICE ? ADVICE[trouble] : '')
}

/** A finding as it is answered and printed. */
export const adviseFinding = ({
  code,
  level,
  message,
  circumstance,
}: Finding): ManagementOutput<'doctor'>['findings'][number] => ({
  code,
  level,
  message,
  advice: adviceFor(code, circumstance),
})
