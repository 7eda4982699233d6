/**
 * Real Chromium, for tests and trials. Every hostname leads to one local port, so pages have the names that real ones
 * have.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser's program, as PATH names it; null where none is installed. */
export function findBrowser(): string | null {
  const places = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return places.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

interface BrowserOptions {
  /** Where every `http://hostname/` leads on the loopback interface. */
  port: number
  /** Hostnames that lead to another port. */
  hosts?: Record<string, number>
  /** TRICKY: a context's own `userAgent` is forgotten by requests that a page sends as it goes. */
  user_agent?: string
  /** Keeps pages that were left, as people's browsers do; automation switches that off by default. */
  back_forward_cache?: boolean
}

function launchOptions({ port, hosts = {}, user_agent, back_forward_cache = false }: BrowserOptions) {
  const executablePath = findBrowser()
  if (executablePath === null) throw new Error('No Chromium in PATH; on Debian: apt-get install chromium')
  const rules = [...Object.entries(hosts), ['*', port]].map(([host, to]) => `MAP ${host} 127.0.0.1:${to}`)
  return {
    executablePath,
    args: [
      // A sandbox needs an unprivileged user, which a build machine may not have; the pages are our own.
      '--no-sandbox',
      `--host-resolver-rules=${rules.join(',')}`,
      ...(user_agent === undefined ? [] : [`--user-agent=${user_agent}`]),
    ],
    ignoreDefaultArgs: back_forward_cache ? ['--disable-back-forward-cache'] : [],
  }
}

export function openBrowser(options: BrowserOptions): Promise<Browser> {
  return chromium.launch(launchOptions(options))
}

/** A browser with a profile folder, in which settings may have been made. */
export function openBrowserProfile(folder: string, options: BrowserOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, launchOptions(options))
}

/**
 * Starts the browser at `url` without automation, so that features work which automation turns off. Returns a function
 * that ends it.
 */
export async function startUnsteered(
  folder: string,
  url: string,
  options: BrowserOptions,
): Promise<() => Promise<void>> {
  const { executablePath, args } = launchOptions(options)
  const settings = ['--headless', '--no-first-run', `--user-data-dir=${folder}`]
  const child = spawn(executablePath, [...settings, ...args, url], { stdio: 'ignore' })
  await once(child, 'spawn')
  return async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  }
}
