/** Everything that `spoor doctor` can say. Codes are stable: scripts and alerts may rest on them; docs/operating/doctor.md lists them. */

export type Level = 'ok' | 'warn' | 'fail'

export interface Finding {
  code: FindingCode
  level: Level
  /** What was found here, in one sentence. */
  message: string
  /** What to do; empty when there is nothing to do. */
  advice: string
}

interface Known {
  level: Level
  /** When it is said, for the documentation. */
  means: string
  advice: string
}

const good = (means: string): Known => ({ level: 'ok', means, advice: '' })
const warn = (means: string, advice: string): Known => ({ level: 'warn', means, advice })
const fail = (means: string, advice: string): Known => ({ level: 'fail', means, advice })

export const FINDINGS = {
  configuration: good('every setting is within its bounds'),
  configuration_refused: fail('a setting is out of its bounds', 'Correct the named environment variable.'),
  configuration_unknown: warn(
    'a variable starts with SPOOR_ and is no setting',
    'Correct its name, see docs/configuration.md, or remove it.',
  ),
  data_folder: good('the data folder is there, private and writable'),
  data_folder_missing: warn(
    'the data folder does not exist yet',
    'Check --data or SPOOR_DATA; on a new installation start it with: spoor serve.',
  ),
  data_folder_not_private: warn('others on this machine can enter the data folder', 'Run chmod 700 on it.'),
  data_folder_unusable: fail(
    'the data folder cannot be read or written by this user',
    'Run the command as the user of the service, or give the folder to this user.',
  ),
  free_space: good('the disk of the data folder has room'),
  free_space_low: warn('less than twice what the stores keep free is left', 'Free some space on that disk soon.'),
  free_space_out: fail(
    'so little is left that the evidence store refuses to write',
    'Free space on that disk; nothing stored is lost, and what was refused can be repeated.',
  ),
  server: good('whether a server runs on the folder'),
  server_silent: fail(
    'a server holds the folder and does not answer',
    'Kill it (kill -9) and start it again; under the launcher that happens by itself.',
  ),
  folder_busy: fail(
    'another process holds the folder and takes no commands',
    'Wait for the other command to end, or end it.',
  ),
  stores_not_opened: fail(
    'a store cannot be opened: damaged, of a newer version, not readable, or on a full or read-only disk',
    'Do what the message says; if a store is damaged, restore a backup.',
  ),
  stores: good('both stores are open and answer'),
  control_store_failed: fail(
    'the control store does not answer',
    'Look into the log, check disk and permissions (or the database server), and start the service again.',
  ),
  control_server: good('PostgreSQL keeps the control store, and its clock agrees with the machine’s'),
  control_server_old: warn(
    'the PostgreSQL server is older than 14, which gets no corrections any more',
    'Move the database to a newer server: pg_dump, then pg_restore.',
  ),
  control_server_clock: warn(
    'the clocks of the PostgreSQL server and of this machine are more than five minutes apart',
    'Set both by NTP: Spoor goes by its own, and processes on several machines must agree.',
  ),
  stores_apart: fail(
    'the evidence of this data folder is not the one that the control store speaks of',
    'Do what the message says; whoever uses the two together would read unknown as zero.',
  ),
  control_store_lost: fail(
    'the control store is missing or empty, and the data folder holds evidence',
    'Restore a backup, correct SPOOR_DATABASE_URL, or move the evidence away; until then the service does not start.',
  ),
  evidence_store_failed: fail(
    'the evidence store does not answer',
    'Look into the log, check disk and memory, and start the service again.',
  ),
  evidence_table_missing: fail(
    'tables of the evidence store are gone: what they held is not counted, and nothing can be stored in them',
    'Look into the system log for a fault of the disk, then restore a backup.',
  ),
  thread_pool: good('Node’s thread pool is large enough for the statements of the evidence store'),
  thread_pool_small: warn(
    'fewer threads than running statements may hold',
    'Start through the launcher (npx spoor), or set UV_THREADPOOL_SIZE=16.',
  ),
  open_files: good('enough files may be open at once'),
  open_files_few: warn(
    'fewer than 4,096 files may be open at once',
    'Raise the limit: ulimit -n, or LimitNOFILE=65536 of systemd.',
  ),
  registry: good('a crawler registry is in force'),
  registry_missing: fail('no crawler registry is in force', 'Start the service once; it loads the registry it ships.'),
  registry_behind: warn(
    'a newer registry is loaded than the one in force',
    'Put the newer one in force when it suits you: spoor registry use VERSION.',
  ),
  registry_old: warn(
    'the registry in force was reviewed over 180 days ago',
    'New crawlers stay unlabelled: update Spoor, or load a newer registry with spoor registry update.',
  ),
  lists: good('the published lists of addresses are held and fresh'),
  lists_missing: warn(
    'no published list of addresses is held, so that no claim is proved or refuted by its address',
    'The service loads them within minutes where it reaches the internet and does not run under --clock; otherwise: spoor registry lists import FILE --list ID.',
  ),
  lists_stale: warn(
    'a list was not confirmed for more than 7 days and judges no request any more',
    'Load it again: spoor registry lists update, or spoor registry lists import FILE --list ID.',
  ),
  lists_failing: warn(
    'the last attempt to load a list failed; what was held of it stays held',
    'spoor registry lists list tells why; it is tried again every hour.',
  ),
  sources: good('every site has a primary source with recent evidence'),
  sites_missing: warn('there is no site', 'Add one: spoor site add example.com.'),
  source_missing: warn(
    'a site has no evidence of crawlers: no log was imported or delivered',
    'Import a log: spoor import FILE --site DOMAIN. A site whose visits alone are measured needs none.',
  ),
  zone_failing: warn(
    'the last polls of a Cloudflare zone failed; the code says why (docs/operating/cloudflare.md)',
    'Cloudflare’s trouble mends itself and its hours are read later; for not_permitted, zone_missing, field_refused and token_unreadable connect it again with spoor source connect.',
  ),
  zone_revoked: warn(
    'Cloudflare refuses the token of a zone',
    'Give it a new one: spoor source connect DOMAIN --zone --token-file FILE.',
  ),
  source_broken: warn('the last delivery of a source broke off', 'Repeat that import; it doubles nothing.'),
  source_not_primary: warn(
    'a site has sources and none of them counts',
    'Make one primary; until then its days are gaps.',
  ),
  source_silent: warn(
    'the newest evidence of a site is more than three days old',
    'Import the logs since; for an archive set the service clock with --clock.',
  ),
  trackers: good(
    'events of every site with a tracker arrive or are awaited since less than a day, and nothing much is refused',
  ),
  tracker_silent: warn(
    'the tracker of a site is switched on and no event came for 24 hours',
    'Look whether the snippet is on its pages and can reach this service; otherwise switch it off: spoor tracker disable SITE.',
  ),
  snippet_missing: warn(
    'the last inspection did not find the tracker’s snippet on the home page of a site',
    'Put the snippet on the site’s pages; where a tag manager brings it, days without events stay gaps.',
  ),
  snippet_not_inspected: warn(
    'the home page of a site could not be looked at for the snippet; the code says why',
    'Days without events stay gaps until it can; for an address of your own network see docs/operating/outgoing.md.',
  ),
  events_refused: warn(
    'at least 10 events of today and yesterday, and a tenth of all, were refused, or any before the first event; the reasons stand beside the site',
    'Correct what sends them: docs/operating/collection.md explains each reason. With rate_limited, backlog_full, not_durable, store_unavailable, spool_damaged or not_stored, visitors’ events were lost and the days are partial.',
  ),
  deliveries: good('no delivery was left unfinished'),
  delivery_broken: warn(
    'a delivery broke off and its source has not delivered since',
    'Repeat that import; it doubles nothing.',
  ),
  dirty_days: good('no day waits long for its roll-ups'),
  dirty_days_waiting: warn(
    'days wait for their roll-ups for more than 15 minutes; answers are right and slower',
    'Start the service if it does not run; otherwise its log says why the rebuild fails.',
  ),
  clock: good('the service clock fits the stored evidence and the files'),
  clock_moved: warn(
    'the service clock is not the machine’s',
    'Intended for archives (--clock); otherwise start without --clock.',
  ),
  clock_behind: warn(
    'evidence or files are newer than the clock',
    'Check the time of the machine (NTP); evidence after the service clock is not counted.',
  ),
  jobs: good('the background jobs succeed'),
  job_failing: warn(
    'the last round of a background job failed, or three runs of a leased one did',
    'Its log says why; it is tried again, with growing pauses.',
  ),
  job_stuck: warn(
    'a leased job has outlasted its limit, or its process is gone and no other has taken it over',
    'Start the service again; if it comes back, its log says what the job waits for.',
  ),
  job_overdue: warn(
    'a leased job is due for more than 15 minutes and nobody runs it',
    'Look into the log for why it cannot begin; check that the clocks of all processes agree (NTP).',
  ),
  metrics: good('the metrics are served, or turned off on purpose'),
  metrics_not_listening: warn(
    'the address of the metrics was taken at start',
    'Choose another SPOOR_METRICS_LISTEN, or off, and start again.',
  ),
  watchdog: good('the service is started again when it crashes or hangs'),
  watchdog_off: warn(
    'nobody starts the service again when it hangs',
    'Start it through the launcher with SPOOR_WATCHDOG_SECONDS above 0.',
  ),
} as const satisfies Record<string, Known>

export type FindingCode = keyof typeof FINDINGS

/** A finding of a known code with what was found here. */
export function finding(code: FindingCode, message: string): Finding {
  const { level, advice } = FINDINGS[code]
  return { code, level, message, advice }
}
