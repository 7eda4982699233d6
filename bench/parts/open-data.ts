/** Opens what a benchmark measures, in a data folder that no other process uses. Nothing is logged. */
import pino from 'pino'
import { type Clock, systemClock } from '#clock.ts'
import { type Config, readConfig } from '#config.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { buildHttpSurfaces } from '../../src/main.ts'

export const SILENT = pino({ level: 'silent' })

interface OpenOptions {
  clock?: Clock
  /** Without the data folder; left out: the defaults. */
  config?: Config
}

/** @throws when another process has the data folder open. */
export const openData = (data: string, options: OpenOptions = {}): Promise<Installation> => {
  const { clock = systemClock(), config = readConfig({}) } = options
  return openInstallation({ config: { ...config, data }, clock, log: SILENT, wait_ms: 0 })
}

/** All surfaces over HTTP; the server does not listen yet. */
export const buildSurfaces = (installation: Installation, crawlers: CrawlerContext) =>
  buildHttpSurfaces(installation, crawlers, { log: SILENT, support_email: null })
