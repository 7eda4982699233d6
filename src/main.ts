import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { readDeprecatedUses } from '#accounts/deprecated-uses.ts'
import { hasPassword, issueFirstLink, welcomeLink } from '#accounts/one-time-links.ts'
import { issueSignInLink, OPEN_PATH } from '#accounts/sign-in-links.ts'
import { confirmAddress, findByLink, unsubscribeAddress } from '#alerts/consent.ts'
import { systemClock } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { readAlerts } from '#health/alerts.ts'
import { readCondition } from '#health/condition.ts'
import { readEngines } from '#health/engines.ts'
import { freeIdleMemory } from '#health/idle-memory.ts'
import { readInspections } from '#health/inspections.ts'
import { readJobs } from '#health/jobs.ts'
import { isReady } from '#health/ready.ts'
import { warnOfForeignSecrets } from '#health/secrets.ts'
import type { Installation, InstallationOptions } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { refuseStore } from '#installation/refuse-store.ts'
import { serviceJobs } from '#installation/service-jobs.ts'
import { type Intake, openIntake } from '#intake/batches/intake.ts'
import { startSchedule } from '#jobs/schedule.ts'
import { MOVING_RETRY_SECONDS, movingService } from '#move/moving-service.ts'
import type { Listening } from '#outgoing/own-endpoints.ts'
import { admitCaller } from '#sources/admit-caller.ts'
import { registerAlertPages } from '#surfaces/http/alert-pages.ts'
import { type CollectEndpoint, registerCollect } from '#surfaces/http/collect.ts'
import { registerDashboard } from '#surfaces/http/dashboard/serve-dashboard.ts'
import { type DashboardApi, registerDashboardApi } from '#surfaces/http/dashboard-api/dashboard-api.ts'
import { registerHome } from '#surfaces/http/home/page.ts'
import { registerIntake } from '#surfaces/http/intake.ts'
import { registerOpenPage } from '#surfaces/http/open/page.ts'
import { refuseWhileMoving } from '#surfaces/http/refuse-while-moving.ts'
import { buildHttpServer, type HttpServerOptions } from '#surfaces/http/server.ts'
import { type SiteApiServices, siteApiImplementations } from '#surfaces/http/site-api.ts'
import { registerWelcome } from '#surfaces/http/welcome/page.ts'
import { metricsAddress, openMetricsListener } from '#surfaces/metrics/listener.ts'
import { createMeters, type Meters } from '#surfaces/metrics/meters.ts'
import { socketPath } from '#surfaces/operator/socket-path.ts'
import { openOperatorSocket } from '#surfaces/operator/socket-server.ts'
import type { Collector } from '#tracker/collection/collector.ts'

export interface Service {
  /** Where the API listens, for example http://127.0.0.1:8080. */
  url: string
  /** The link to the operator's first password, at the first start only: secret, shown and not logged (rules 7). */
  welcome_link: string | null
  has_password: boolean
  /** A link that opens the dashboard signed in as the operator, once and within an hour: secret. */
  issueSignInLink(): Promise<string>
  /** Where the metrics are; null when they are turned off or their address is taken. */
  metrics_url: string | null
  /** Stops within 5 s: no new requests, running ones end, work reaches a safe point, stores close. */
  stop(): Promise<void>
}

/** Work of a stopping service that lasts longer than this is broken off: the evidence store stops its statements. */
const STOP_GRACE_MS = 3_500

/** Opens the data folder and serves it: API, operator's socket and background work. */
export async function startService(options: InstallationOptions): Promise<Service> {
  const { config, log } = options
  const path = socketPath(config.data)
  const meters = createMeters(systemClock())
  const { onStatement, onEvents: onCounted } = meters
  const listening: Listening = { http_url: null, metrics_url: null }
  const installation = await openInstallation({
    ...options,
    onStatement,
    onCounted,
    listening,
    serviceState: ({ names }) => ({
      metrics: config.metrics === null ? 'off' : listening.metrics_url,
      metrics_address: config.metrics === null ? null : metricsAddress(config.metrics),
      has_watchdog: options.liveness != null,
      leased_jobs: names,
    }),
  })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // Concurrently, because each waits for its own work; the stores close when nothing needs them any more.
    const ended = Promise.allSettled(stops.map((end) => end()))
    await Promise.race([ended, pause(STOP_GRACE_MS, undefined, { ref: false })])
    await installation.close()
  }
  try {
    const crawlers = await installation.crawlers()
    const collector = await installation.openCollector()
    const { control, clock, operator, is_node, nodes } = installation
    await warnOfForeignSecrets({ control, clock, secrets: installation.secrets }, log)
    const jobs = serviceJobs({ installation, crawlers, collection: collector, observers: meters, log })
    stops.push(async () => jobs.stop())
    const importLog: Installation['importLog'] = (input, chunks, onProgress) =>
      meters.ofImport(() => installation.importLog(input, chunks, onProgress)).finally(() => jobs.rebuildSoon())
    const { taking, isMoving, runJobs } = movingService(collector)
    const http = buildHttpSurfaces(installation, crawlers, {
      log,
      importLog,
      collector,
      taking,
      isMoving,
      support_email: config.support_email,
      close_grace_ms: STOP_GRACE_MS,
      onAnswered: meters.onAnswered,
      batches: meters,
    })
    // The collector stops last, because requests that are being answered still give it events.
    stops.push(() => http.close().finally(() => collector.stop()))
    const url = await http.listen({ host: config.host, port: config.port })
    listening.http_url = url
    const socket = await openOperatorSocket(path, {
      context: operator,
      log,
      importLog,
      backup: installation.backup,
      moveTo: installation.moveTo,
      refuse: installation.refuse,
    })
    stops.push(() => socket.stop())
    const running = runJobs(() =>
      startSchedule(
        {
          control,
          clock,
          log,
          onJob: meters.onJob,
          is_clock_simulated: options.is_clock_simulated === true,
          requests: installation.jobs,
          is_node,
          isClockWrong: nodes.isClockWrong,
        },
        jobs.jobs,
      ),
    )
    stops.push(() => running.stop())
    installation.stopForMoves(running.serving)
    const stopCollecting = freeIdleMemory({ releaseStore: () => crawlers.evidence.releaseMemory() })
    stops.push(async () => stopCollecting())
    const link = await issueFirstLink({ control, clock }, operator.user_id)
    const welcome_link = link === null ? null : welcomeLink(operator.origin(), link.token)
    meters.showStores({
      control: () => readCondition(control),
      evidence: () => crawlers.evidence.state(),
      jobs: () => readJobs({ control, clock }),
      alerts: () => readAlerts({ control, clock }),
      inspections: () => readInspections({ control, clock }),
      engines: () => readEngines({ control, clock }),
      deprecated: () => readDeprecatedUses(control.db),
      spool: () => collector.waiting(),
    })
    const listener = config.metrics === null ? null : await openMetricsListener(config.metrics, meters, log)
    if (listener !== null) stops.push(() => listener.stop())
    listening.metrics_url = listener?.url ?? null
    const has_password = await hasPassword(control.db)
    const openLink = async () =>
      `${operator.origin()}${OPEN_PATH}#${await issueSignInLink({ control, clock }, operator.user_id)}`
    const metrics_url = listener?.url ?? null
    return { url, welcome_link, has_password, metrics_url, issueSignInLink: openLink, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface SurfaceOptions
  extends Pick<HttpServerOptions<SiteApiServices>, 'support_email' | 'close_grace_ms' | 'onAnswered'> {
  log: Logger
  /** Left out: without meters. */
  importLog?: Installation['importLog']
  collector?: Collector
  /** Takes events in place of the collector. */
  taking?: CollectEndpoint['collector']
  /** True while nothing may be stored. */
  isMoving?: () => boolean
  batches?: Pick<Meters, 'ofBatches' | 'onBatchRefused'>
  /** Where Vite built the dashboard, unless it is at its place; tests of its stand-in pages name another. */
  dashboard_folder?: URL
}

/** Every surface over HTTP: the APIs, the dashboard, intake and collection. The server does not listen yet. */
export function buildHttpSurfaces(
  installation: Installation,
  crawlers: CrawlerContext,
  { log, collector, taking, isMoving, batches, dashboard_folder, ...options }: SurfaceOptions,
) {
  const { importLog = installation.importLog, ...http } = options
  const { control, clock, config } = installation
  const onFailure = (err: Error) => log.error({ err }, 'a batch was not read')
  const intake = openIntake(crawlers, { onFailure })
  const receive: Intake['receive'] = (delivery, open) =>
    intake.receive(delivery, open).catch((error: unknown) => {
      throw refuseStore(error, ' Nothing of this batch is lost when it is sent again.')
    })
  const ready = async () =>
    installation.nodes.isReady() && (await isReady({ control, evidence: crawlers.evidence, folder: config.data }))
  const site_services: SiteApiServices = {
    ...crawlers,
    // Without a collector nothing waits to become readable.
    collection: collector ?? { readableThrough: () => clock.now() },
    verification: installation.operator.verification,
    access: { outgoing: installation.operator.outgoing, public_url: config.public_url },
  }
  const brand_services = { ...crawlers, quotas: installation.quotas, keyed_batches: installation.keyed_batches }
  const admit: DashboardApi['admit'] = (operation, caller, named) => admitCaller({ control }, operation, caller, named)
  const app = buildHttpServer({
    implementations: siteApiImplementations,
    services: site_services,
    authenticate: installation.authenticate,
    admit,
    account_api: {
      services: brand_services,
      authenticate: installation.authenticateAccountToken,
      admit,
      has_deprecated_routes: config.has_deprecated_routes,
    },
    public_url: config.public_url,
    ready,
    logger: log,
    ...http,
  })
  if (isMoving !== undefined) refuseWhileMoving(app, isMoving, MOVING_RETRY_SECONDS)
  registerIntake(app, {
    authenticateToken: installation.authenticateToken,
    receive: batches === undefined ? receive : batches.ofBatches(receive),
    ...(batches === undefined ? {} : { onRefused: batches.onBatchRefused }),
    now: () => clock.now(),
  })
  app.addHook('onClose', () => intake.close())
  if (collector !== undefined) {
    const { trusted_proxies } = config
    const { onAnswered } = http
    registerCollect(app, {
      collector: taking ?? collector,
      trusted_proxies,
      log,
      ...(onAnswered === undefined ? {} : { onAnswered }),
    })
  }
  if (!registerDashboard(app, dashboard_folder)) {
    registerHome(app, { ready, hasPassword: () => hasPassword(control.db) })
    registerWelcome(app)
  }
  registerOpenPage(app)
  registerAlertPages(app, {
    find: (link, token) => findByLink({ control, clock }, link, token),
    confirm: (token) => confirmAddress({ control, clock }, token),
    unsubscribe: (token) => unsubscribeAddress({ control, clock }, token),
  })
  registerDashboardApi(app, {
    control,
    clock,
    admit,
    site_services,
    brand_services,
    importLog,
    log,
    management_services: installation.operator,
    is_clock_simulated: installation.operator.is_clock_simulated,
    public_url: config.public_url,
    port: config.port,
    trusted_proxies: config.trusted_proxies,
  })
  return app
}
