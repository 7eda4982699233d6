/** Everything that the doctor can find. Codes are stable for scripts and alerts. Surfaces word the advice. */

export type Level = 'ok' | 'warn' | 'fail'

/** `offline`: every published list failed, so that the machine seems to have no internet. */
export type Circumstance = 'simulated_clock' | 'offline'

export interface Finding {
  code: FindingCode
  level: Level
  /** What was found here, in one sentence. */
  message: string
  /** Left out where nothing about the machine changes the advice. */
  circumstance?: Circumstance
}

interface Known {
  level: Level
  /** When the doctor reports it, for the documentation. */
  means: string
}

export const FINDINGS = {
  configuration: { level: 'ok', means: 'every setting is within its bounds' },
  configuration_refused: { level: 'fail', means: 'a setting is out of its bounds' },
  configuration_unknown: { level: 'warn', means: 'a variable starts with SPOOR_ and is not a setting' },
  data_folder: { level: 'ok', means: 'the data folder is there, private and writable' },
  data_folder_missing: { level: 'warn', means: 'the data folder does not exist yet' },
  installation_missing: {
    level: 'warn',
    means: 'the data folder and the configured database hold no installation yet; the check creates none',
  },
  data_folder_not_private: { level: 'warn', means: 'others on this machine can enter the data folder' },
  data_folder_unusable: { level: 'fail', means: 'the data folder cannot be read or written by this user' },
  free_space: { level: 'ok', means: 'the disk of the data folder has room' },
  free_space_low: { level: 'warn', means: 'less than twice the space that the stores keep free is left' },
  free_space_out: { level: 'fail', means: 'so little space is left that the evidence store refuses to write' },
  server: { level: 'ok', means: 'whether a server runs on the folder' },
  server_silent: { level: 'fail', means: 'a server holds the folder and does not answer' },
  folder_busy: { level: 'fail', means: 'another process holds the folder and accepts no commands' },
  stores_not_opened: {
    level: 'fail',
    means:
      'a store cannot be opened: damaged, of a newer version, not readable, on a full or read-only disk, or not with these settings',
  },
  stores_outdated: {
    level: 'warn',
    means: 'the stores have the layout of an earlier release, which a check does not change',
  },
  stores: { level: 'ok', means: 'both stores are open and answer' },
  control_store_found: {
    level: 'ok',
    means: 'the database holds the control store, beside a data folder that is missing',
  },
  control_store_failed: { level: 'fail', means: 'the control store does not answer' },
  control_server: { level: 'ok', means: 'PostgreSQL keeps the control store, and its clock agrees with the machine’s' },
  control_server_old: {
    level: 'warn',
    means: 'the PostgreSQL server is older than version 14 and no longer gets fixes',
  },
  control_server_clock: {
    level: 'warn',
    means: 'the clocks of the PostgreSQL server and of this machine are more than five minutes apart',
  },
  nodes: { level: 'ok', means: 'the nodes that share the stores report, and their clocks agree with the database’s' },
  node_silent: { level: 'warn', means: 'a node stopped reporting without being shut down, and was not given up' },
  node_clock: {
    level: 'warn',
    means: 'the clock of a node is more than 250 ms ahead of the database’s, or behind it: the node is not ready',
  },
  stores_apart: {
    level: 'fail',
    means: 'the control store belongs to other evidence than that of this data folder',
  },
  control_store_lost: {
    level: 'fail',
    means: 'the control store is missing or empty, and the data folder holds evidence',
  },
  stores_moved: {
    level: 'fail',
    means:
      'the stores of the data folder have moved to servers, or are being handed over, and the settings do not name these servers',
  },
  evidence_store_failed: { level: 'fail', means: 'the evidence store does not answer' },
  evidence_table_missing: {
    level: 'fail',
    means: 'tables of the evidence store are missing: their content is not counted, and nothing can be stored in them',
  },
  quotas_failed: {
    level: 'fail',
    means: 'requests of the account API and of MCP cannot be counted, so that all of them are refused (429)',
  },
  secrets: { level: 'ok', means: 'what is stored sealed can be opened with the secret key in use' },
  secret_key_differs: {
    level: 'warn',
    means: 'stored secrets were sealed with another secret key than the one in use, and cannot be opened',
  },
  order_keys_replaced: {
    level: 'warn',
    means: 'within 30 days the key that a site’s order ids are hashed with did not open, and another took its place',
  },
  cluster_servers: { level: 'ok', means: 'with `--cluster`: these ClickHouse servers answer' },
  cluster_servers_failed: { level: 'fail', means: 'with `--cluster`: a server does not answer, or refuses the user' },
  cluster_topology: { level: 'ok', means: 'with `--cluster`: the cluster, its shards and the macros of its servers' },
  cluster_topology_failed: {
    level: 'fail',
    means: 'with `--cluster`: the cluster is unknown, one of its servers is down, or macros are missing or used twice',
  },
  cluster_tables: { level: 'ok', means: 'with `--cluster`: every table is on every server' },
  cluster_tables_failed: { level: 'fail', means: 'with `--cluster`: a server lacks tables' },
  cluster_replicas: { level: 'ok', means: 'with `--cluster`: all replicas are active and up to date' },
  cluster_replicas_failed: { level: 'fail', means: 'with `--cluster`: replicas are down, read-only or behind' },
  cluster_settings: { level: 'ok', means: 'with `--cluster`: the servers accept the settings that Spoor sends' },
  cluster_settings_failed: { level: 'fail', means: 'with `--cluster`: a server does not accept a setting' },
  cluster_changes: {
    level: 'ok',
    means: 'with `--cluster`: tables can be created, changed and dropped, and each step repeated',
  },
  cluster_changes_failed: { level: 'fail', means: 'with `--cluster`: a change of a table was not done everywhere' },
  cluster_writes: { level: 'ok', means: 'with `--cluster`: inserts are confirmed' },
  cluster_writes_failed: {
    level: 'fail',
    means: 'with `--cluster`: an insert was refused, which is correct while a majority of the replicas is down',
  },
  cluster_reads: { level: 'ok', means: 'with `--cluster`: every server shows confirmed rows at once' },
  cluster_reads_refused: {
    level: 'warn',
    means: 'with `--cluster`: a server refused to read because it lacked confirmed rows, which is correct',
  },
  cluster_reads_differ: { level: 'fail', means: 'with `--cluster`: a server showed fewer rows than were confirmed' },
  cluster_deletions: { level: 'ok', means: 'with `--cluster`: rows are deleted on every replica' },
  cluster_deletions_failed: { level: 'fail', means: 'with `--cluster`: a deletion was not done on every replica' },
  thread_pool: { level: 'ok', means: 'Node’s thread pool is large enough for the statements of the evidence store' },
  thread_pool_small: { level: 'warn', means: 'fewer threads than running statements may hold' },
  open_files: { level: 'ok', means: 'enough files may be open at once' },
  open_files_few: { level: 'warn', means: 'fewer than 4,096 files may be open at once' },
  registry: { level: 'ok', means: 'a crawler registry is in force' },
  registry_missing: { level: 'fail', means: 'no crawler registry is in force' },
  registry_behind: { level: 'warn', means: 'a newer registry is loaded than the one in force' },
  registry_old: { level: 'warn', means: 'the registry in force was reviewed over 180 days ago' },
  lists: { level: 'ok', means: 'the published lists of addresses are loaded and up to date' },
  lists_missing: {
    level: 'warn',
    means:
      'no published list of addresses is loaded, so no address proves or refutes that a request comes from a crawler',
  },
  lists_stale: { level: 'warn', means: 'a list was not confirmed for more than 7 days and is no longer used' },
  lists_failing: { level: 'warn', means: 'the last attempt to load a list failed; its earlier content stays in force' },
  sources: { level: 'ok', means: 'every site has a primary source with recent evidence' },
  sites_missing: { level: 'warn', means: 'there is no site' },
  source_missing: { level: 'warn', means: 'a site has no evidence of crawlers: no log was imported or delivered' },
  zone_failing: {
    level: 'warn',
    means: 'the last polls of a Cloudflare zone failed; the code says why (docs/operating/cloudflare.md)',
  },
  zone_revoked: { level: 'warn', means: 'Cloudflare refuses the token of a zone' },
  source_broken: { level: 'warn', means: 'the last import of a log broke off' },
  intake_silent: { level: 'warn', means: 'a source that receives logs over HTTPS got nothing for 24 hours' },
  source_not_primary: { level: 'warn', means: 'a site has sources and none of them counts' },
  source_silent: { level: 'warn', means: 'the newest evidence of a site is more than three days old' },
  trackers: {
    level: 'ok',
    means:
      'events of every site with a tracker arrive, or the tracker is less than a day old, and few events are refused',
  },
  tracker_silent: {
    level: 'warn',
    means: 'the tracker of a site is switched on, but no event was received for 24 hours',
  },
  snippet_missing: {
    level: 'warn',
    means: 'the last inspection did not find the tracker’s snippet on the home page of a site',
  },
  snippet_not_inspected: {
    level: 'warn',
    means: 'the home page of a site could not be fetched to look for the snippet; the code says why',
  },
  events_refused: {
    level: 'warn',
    means:
      'at least 10 events of today and yesterday and a tenth of all of them were refused, or events were refused before the first was accepted; the message names the reasons',
  },
  proxy_hides_addresses: {
    level: 'warn',
    means:
      'all events of a site in the last hour came from one address: 20 requests or more of 3 user agents or more; with several nodes, those that this node received',
  },
  deliveries: { level: 'ok', means: 'no delivery was left unfinished' },
  delivery_broken: { level: 'warn', means: 'a delivery broke off and its source has not delivered since' },
  dirty_days: { level: 'ok', means: 'no day waits long for its roll-ups' },
  dirty_days_waiting: {
    level: 'warn',
    means: 'days have waited for their roll-ups for more than 15 minutes; answers are right, but slower',
  },
  inspections: { level: 'ok', means: 'inspections are made when issues and hosts need them' },
  inspections_waiting: { level: 'warn', means: 'an inspection has been due for more than an hour and was not made' },
  inspections_deferred: { level: 'warn', means: 'a site has used its inspections of the hour; the others wait' },
  inspections_not_made: {
    level: 'warn',
    means: 'inspections of the last 24 hours failed within the service, or were given up after a day',
  },
  inspections_unnamed: {
    level: 'warn',
    means:
      'inspections are made, but SPOOR_PUBLIC_URL is not set or is an address that only your own network reaches, so their marker has no link',
  },
  engines: { level: 'ok', means: 'the engines that are switched on accept their keys, and their budgets have room' },
  engine_key_rejected: { level: 'warn', means: 'an engine refuses its key' },
  engine_unusable: {
    level: 'warn',
    means: 'an engine reports that its account has no credit or that it does not know the model',
  },
  engine_budget_used: { level: 'warn', means: 'the budget of an engine has no room for another call this month' },
  scan_failing: { level: 'warn', means: 'an engine answered no question of the last 24 hours' },
  deprecated_routes_used: {
    level: 'warn',
    means: 'an account token called routes that end on 26 December 2026 within the last 30 days',
  },
  alerts: { level: 'ok', means: 'alerts reach their receivers' },
  alert_receiver_off: {
    level: 'warn',
    means: 'a receiver of alerts was switched off: it answered 410 (gone) or accepted nothing for 5 days (failing)',
  },
  alerts_waiting: { level: 'warn', means: 'an alert has waited for more than an hour for its receiver' },
  alerts_failed: { level: 'warn', means: 'alerts of the last 24 hours were given up' },
  clock: { level: 'ok', means: 'the service clock agrees with the stored evidence and the files' },
  clock_moved: { level: 'warn', means: 'the service clock is not the machine’s' },
  clock_behind: { level: 'warn', means: 'evidence or files are newer than the clock' },
  clock_jumped: {
    level: 'warn',
    means: 'the clock jumped ahead by more than a week, so retention deletes nothing for two days',
  },
  jobs: { level: 'ok', means: 'the jobs succeed' },
  job_failing: { level: 'warn', means: 'three runs of a job in a row failed' },
  job_stuck: {
    level: 'warn',
    means: 'a job has run longer than its limit, or its process is gone and no other has taken it over',
  },
  job_overdue: { level: 'warn', means: 'a job has been due for more than 15 minutes and no process runs it' },
  metrics: { level: 'ok', means: 'the metrics are served, or turned off on purpose' },
  metrics_not_listening: { level: 'warn', means: 'the address of the metrics was in use at the start' },
  watchdog: { level: 'ok', means: 'the service is started again when it crashes or hangs' },
  watchdog_off: { level: 'warn', means: 'no watchdog starts the service again when it hangs' },
} as const satisfies Record<string, Known>

export type FindingCode = keyof typeof FINDINGS

/** A finding of a known code with what was found here. */
export function finding(code: FindingCode, message: string): Finding {
  return { code, level: FINDINGS[code].level, message }
}
