import { defineConfig } from 'vitest/config'

/** Starts real processes, fills disks, drives Chromium, or plays very long histories: `npm run test:slow`. */
const SLOW = [
  'test/processes/**/*.test.ts',
  'test/oracles/**/*.test.ts',
  'test/backup.test.ts',
  'test/cli/commands/demo.test.ts',
  // Starts a server of its own and processes that open one database at once.
  'test/control/postgres.test.ts',
  'test/crawlers/cached-counts.test.ts',
  'test/crawlers/roll-ups/{build-pieces,month-roll-ups,rebuild-roll-ups}.test.ts',
  'test/move/move-installation*.test.ts',
  'test/tracker/sessions/{session-snapshots,settled-sessions}.test.ts',
]
/**
 * Histories of many days, files that open several services or folders, and a few other long ones. They harm no process,
 * so that they share a few. Together they would take as long as `npm test`.
 */
const LONG = [
  'test/backup/replaced-days.test.ts',
  'test/brands/answers/{import,serve}-answers.test.ts',
  'test/brands/fixes/follow-fixes.test.ts',
  'test/brands/scans/run-due.providers.test.ts',
  'test/brands/search-data/search-data.test.ts',
  'test/brands/serve-deprecated.test.ts',
  'test/brands/urls/serve-urls.test.ts',
  'test/cli/commands/{answers,backup,doctor,import,migrate-to}.test.ts',
  'test/cli/commands/{registry,registry-lists,serve,source,tracker,user}.test.ts',
  'test/cli/folder/open-folder.postgres.test.ts',
  'test/crawlers/{count-open-days,crawled-pages,unregistered-agents}.test.ts',
  'test/crawlers/coverage/fall-back-to-roll-ups.test.ts',
  'test/crawlers/identity/reverse-dns.test.ts',
  'test/dashboard/no-invented-zero.visitors-and-brand.test.ts',
  'test/demo/{play-brand,visits}.test.ts',
  'test/derived/{derive,part-sums}.test.ts',
  'test/evidence/migrate.*.test.ts',
  'test/health/trackers.test.ts',
  'test/installation/refuse-lost-control.test.ts',
  'test/intake/batches/{commit-batches,read-thread}.test.ts',
  'test/intake/cloudflare/{poll-zones,zone-states}.test.ts',
  'test/intake/import/{block-thread,receipt}.test.ts',
  'test/intake/log/decompress.test.ts',
  'test/issues/detection/find-harmed-paths.test.ts',
  'test/jobs/purge-deleted.test.ts',
  'test/log.test.ts',
  'test/operations/{account-api-requests,agreement,defined-answers,outcomes,stores-away,totals}.test.ts',
  'test/outgoing/own-endpoints.test.ts',
  'test/retention/enforce-crawler-retention.test.ts',
  'test/scenarios/{authority,collection-backup,continued-visits,edge-actions,ending-sources}.test.ts',
  'test/scenarios/{identity-proof,issue-alerts,issues-evidence,issues-inspected,issues-life,issues-spread}.test.ts',
  'test/scenarios/{repeated-deliveries,unproven-days,uploaded-history,what-the-owner-says}.test.ts',
  'test/surfaces/http/connections.test.ts',
  'test/surfaces/metrics.test.ts',
  'test/surfaces/metrics/live-meters.test.ts',
  'test/surfaces/operator/socket-server.test.ts',
  'test/tracker/{analytics-sources,conversions.many-sources,journeys,overview,pages,pageview-sums}.test.ts',
  'test/tracker/collection/{collecting-node,collector,refused-evidence,spool}.test.ts',
  'test/tracker/development/include.test.ts',
  'test/tracker/sessions/derive-sessions.test.ts',
]
/** Services and long files whose statements to the control store run on both databases. */
const SLOW_ON_POSTGRES = [
  'test/brands/answers/{import,serve}-answers.test.ts',
  'test/brands/scans/run-due.test.ts',
  'test/brands/serve-deprecated.test.ts',
  'test/crawlers/crawler.test.ts',
  'test/demo/visits.test.ts',
  'test/inspections/run-due.test.ts',
  'test/intake/cloudflare/poll-zones.test.ts',
  'test/health/trackers.test.ts',
  'test/installation/refuse-lost-control.test.ts',
  'test/jobs/folder-jobs.test.ts',
  'test/processes/jobs.test.ts',
  'test/scenarios/{authority,intake-coverage,repeated-deliveries}.test.ts',
  'test/surfaces/account-api/account-api.test.ts',
  'test/tracker/collection/collect-refusal.test.ts',
  'test/tracker/coverage/open-reading.test.ts',
  'test/tracker/development/include.test.ts',
  'test/tracker/sessions/derive-sessions.test.ts',
]
const ONLY_ON_CLICKHOUSE = [
  'test/evidence/clickhouse/open.test.ts',
  'test/health/cluster.test.ts',
  'test/installation/open-evidence.test.ts',
]
/** All that the evidence store must do, and services on it: crawlers, trackers, imports, retention, brands. */
const ON_CLICKHOUSE = [
  'test/evidence/*.test.ts',
  ...ONLY_ON_CLICKHOUSE,
  'test/backup/replaced-days.test.ts',
  'test/brands/answers/import-answers.test.ts',
  'test/brands/reports/serve-report.test.ts',
  'test/brands/search-data/search-data.test.ts',
  'test/crawlers/crawler.test.ts',
  'test/crawlers/roll-ups/rebuild-roll-ups.test.ts',
  'test/intake/facts/store-facts.test.ts',
  'test/intake/import/import-log.uncertain-layout.test.ts',
  'test/jobs/purge-deleted.test.ts',
  'test/retention/enforce-crawler-retention.test.ts',
  'test/scenarios/{intake-coverage,repeated-deliveries,site-export,uploaded-history}.test.ts',
  'test/tracker/{overview,pages}.test.ts',
  'test/tracker/sessions/{derive-sessions,session-snapshots}.test.ts',
]

/** Every statement to the control store runs on both databases; files that repeat others' are left out here. */
const ON_POSTGRES = [
  'test/control/store.test.ts',
  'test/control/migrations/**/*.test.ts',
  'test/accounts/!(password|roles).test.ts',
  'test/alerts/(consent|deliver|deliveries|enqueue|watch-conditions).test.ts',
  'test/sites/**/*.test.ts',
  'test/sources/**/*.test.ts',
  'test/backup/take.control-in-postgres.test.ts',
  'test/brands/!(names-in-text|cursor).test.ts',
  'test/brands/questions/**/*.test.ts',
  'test/brands/answers/{import,serve}-answers.test.ts',
  'test/brands/scans/!(run-due.providers|sentiment-question).test.ts',
  'test/control/quotas/quota-store.test.ts',
  'test/crawlers/coverage/{open-day,record-coverage}.test.ts',
  'test/crawlers/crawler.test.ts',
  'test/crawlers/identity/lists.test.ts',
  'test/crawlers/retention.test.ts',
  'test/demo/visits.test.ts',
  'test/health/alerts.test.ts',
  'test/health/control-server.test.ts',
  'test/health/nodes.test.ts',
  'test/health/secrets.test.ts',
  'test/health/trackers.test.ts',
  'test/intake/import/stored-receipts.test.ts',
  'test/issues/detection/open-issue-once.test.ts',
  'test/scenarios/intake-coverage.test.ts',
  'test/scenarios/repeated-deliveries.test.ts',
  'test/inspections/forget-inspections.test.ts',
  'test/inspections/run-due.test.ts',
  'test/installation/claim-evidence.test.ts',
  'test/jobs/!(purge-deleted).test.ts',
  'test/nodes/**/*.test.ts',
  'test/operations/unstorable-text.test.ts',
  'test/processes/jobs.test.ts',
  'test/surfaces/account-api/account-api.test.ts',
  'test/surfaces/http/collect.test.ts',
  'test/tracker/collection/{collect-refusal,collector-run}.test.ts',
  'test/tracker/coverage/**/!(judge-days).test.ts',
  'test/tracker/development/**/*.test.ts',
  'test/tracker/definitions/!(conversions|exact-page|slug).test.ts',
  'test/tracker/keys/**/*.test.ts',
  'test/tracker/sessions/derive-sessions.test.ts',
]

export default defineConfig({
  test: {
    // The engine crashes under worker threads, and loading it takes longer than most tests: processes that live on,
    // with one file after the other. It allows one open folder per process, so each file closes what it opens, and the
    // guard of each-file.ts fails one that does not.
    pool: 'forks',
    isolate: false,
    setupFiles: 'test/support/each-file.ts',
    // Much of the time is waiting: for browsers, other processes and the disk.
    maxWorkers: 3,
    // They end what hangs, and must not end what is merely slow on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Only in CI, where no person can start it again; a test that needed it is named at the end of the run.
    retry: process.env.CI_STARTED_AT === undefined ? 0 : 1,
    // Tests never touch a database that the environment names.
    env: { UV_THREADPOOL_SIZE: '16', SPOOR_DATABASE_URL: '' },
    globalSetup: 'test/support/shared-setup.ts',
    // .ci/run asks for it.
    reporters: process.env.CI_STARTED_AT === undefined ? ['default'] : ['./test/support/slowest-files.ts', 'default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...SLOW, ...LONG, ...ONLY_ON_CLICKHOUSE],
          provide: { control_store: 'sqlite', is_pooled: false, evidence_store: 'chdb' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ON_POSTGRES,
          exclude: SLOW_ON_POSTGRES,
          provide: { control_store: 'postgres', is_pooled: false, evidence_store: 'chdb' },
        },
      },
      {
        // A process of its own for each file: it may be harmed by what its tests do to theirs.
        extends: true,
        test: {
          name: 'slow',
          include: SLOW,
          isolate: true,
          provide: { control_store: 'sqlite', is_pooled: false, evidence_store: 'chdb' },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: LONG,
          provide: { control_store: 'sqlite', is_pooled: false, evidence_store: 'chdb' },
        },
      },
      {
        // Statements to the evidence store, on a double of a ClickHouse server; the control store is in PostgreSQL.
        extends: true,
        test: {
          name: 'slow-clickhouse',
          include: ON_CLICKHOUSE,
          provide: { control_store: 'postgres', is_pooled: false, evidence_store: 'clickhouse' },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow-postgres',
          include: SLOW_ON_POSTGRES,
          provide: { control_store: 'postgres', is_pooled: false, evidence_store: 'chdb' },
        },
      },
      {
        // The same statements through pgbouncer in transaction mode (decisions 8.2), which must be installed.
        extends: true,
        test: {
          name: 'slow-pgbouncer',
          include: ['test/control/postgres.test.ts', ...ON_POSTGRES],
          provide: { control_store: 'postgres', is_pooled: true, evidence_store: 'chdb' },
        },
      },
    ],
  },
})
