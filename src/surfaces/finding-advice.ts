/** What to do about each finding, for the person at the machine; docs/operating/doctor.md lists them all. */
import type { ManagementOutput } from '#contract/management-api/index.ts'
import type { FINDINGS, Finding, FindingCode } from '#health/findings.ts'

/** Everything that is well needs none. */
type CodeOfTrouble = { [C in FindingCode]: (typeof FINDINGS)[C]['level'] extends 'ok' ? never : C }[FindingCode]

const ADVICE: Record<CodeOfTrouble, string> = {
  configuration_refused: 'Correct the named environment variable.',
  configuration_unknown: 'Correct its name, see docs/configuration.md, or remove it.',
  data_folder_missing: 'Check --data or SPOOR_DATA; on a new installation start it with: spoor serve.',
  data_folder_not_private: 'Run chmod 700 on it.',
  data_folder_unusable: 'Run the command as the user of the service, or give the folder to this user.',
  free_space_low: 'Free some space on that disk soon.',
  free_space_out: 'Free space on that disk; nothing stored is lost, and what was refused can be repeated.',
  server_silent: 'Kill it (kill -9) and start it again; under the launcher that happens by itself.',
  folder_busy: 'Wait for the other command to end, or end it.',
  stores_not_opened: 'Do what the message says; if a store is damaged, restore a backup.',
  control_store_failed:
    'Look into the log, check disk and permissions (or the database server), and start the service again.',
  control_server_old: 'Move the database to a newer server: pg_dump, then pg_restore.',
  control_server_clock: 'Set both by NTP: Spoor goes by its own, and processes on several machines must agree.',
  stores_apart: 'Do what the message says; used together, the two would show unknown as zero.',
  control_store_lost:
    'Restore a backup, correct SPOOR_DATABASE_URL, or move the evidence away; until then the service does not start.',
  evidence_store_failed: 'Look into the log, check disk and memory, and start the service again.',
  evidence_table_missing: 'Look into the system log for a fault of the disk, then restore a backup.',
  thread_pool_small: 'Start through the launcher (npx spoor), or set UV_THREADPOOL_SIZE=16.',
  open_files_few: 'Raise the limit: ulimit -n, or LimitNOFILE=65536 of systemd.',
  registry_missing: 'Start the service once; it loads the registry it ships.',
  registry_behind: 'Put the newer one in force when it suits you: spoor registry use VERSION.',
  registry_old: 'New crawlers stay unlabelled: update Spoor, or load a newer registry with spoor registry update.',
  lists_missing:
    'The service loads them within minutes where it reaches the internet and does not run under --clock; otherwise: spoor registry lists import FILE --list ID.',
  lists_stale: 'Load it again: spoor registry lists update, or spoor registry lists import FILE --list ID.',
  lists_failing: 'spoor registry lists list says why; it is tried again every hour.',
  sites_missing: 'Add one: spoor site add example.com.',
  source_missing: 'Import a log: spoor import FILE --site DOMAIN. A site whose visits alone are measured needs none.',
  zone_failing:
    'Cloudflare’s trouble mends itself and its hours are read later; for not_permitted, zone_missing, field_refused and token_unreadable connect it again with spoor source connect.',
  zone_revoked: 'Give it a new one: spoor source connect DOMAIN --zone --token-file FILE.',
  source_broken: 'Repeat that import; it doubles nothing.',
  source_not_primary: 'Make one primary; until then its days are gaps.',
  source_silent: 'Import the logs since; for an archive set the service clock with --clock.',
  tracker_silent:
    'Look whether the snippet is on its pages and can reach this service; otherwise switch it off: spoor tracker disable SITE.',
  snippet_missing: 'Put the snippet on the site’s pages; where a tag manager brings it, days without events stay gaps.',
  snippet_not_inspected:
    'Days without events stay gaps until it can; for an address of your own network see docs/operating/outgoing.md.',
  events_refused:
    'Correct what sends them: docs/operating/collection.md explains each reason. With rate_limited, backlog_full, not_durable, store_unavailable, spool_damaged or not_stored, visitors’ events were lost and the days are partial.',
  delivery_broken: 'Repeat that import; it doubles nothing.',
  dirty_days_waiting: 'Start the service if it does not run; otherwise its log says why the rebuild fails.',
  clock_moved: 'Intended for archives (--clock); otherwise start without --clock.',
  clock_behind: 'Check the time of the machine (NTP); evidence after the service clock is not counted.',
  job_failing: 'Its log says why; it is tried again, with growing pauses.',
  job_stuck: 'Start the service again; if it comes back, its log says what the job waits for.',
  job_overdue: 'Look into the log for why it cannot begin; check that the clocks of all processes agree (NTP).',
  metrics_not_listening: 'Choose another SPOOR_METRICS_LISTEN, or off, and start again.',
  watchdog_off: 'Start it through the launcher with SPOOR_WATCHDOG_SECONDS above 0.',
}

/** Empty when there is nothing to do. */
export const adviceFor = (code: FindingCode): string => (code in ADVICE ? ADVICE[code as CodeOfTrouble] : '')

/** A finding as it is answered and printed. */
export const adviseFinding = ({ code, level, message }: Finding): ManagementOutput<'doctor'>['findings'][number] => ({
  code,
  level,
  message,
  advice: adviceFor(code),
})
