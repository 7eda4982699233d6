/** What a command uses of its process. `commandHost()` returns it, so that commands can run side by side in one. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'
import type { DestinationStream } from 'pino'
import type { Environment } from '#config.ts'
import { processHost } from './process-host.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface CommandHost {
  readonly environment: Environment
  readonly stdout: Output
  readonly stderr: Output
  /** Where the service's log goes; left out: the standard error of this process. */
  readonly log?: DestinationStream
  readonly signals: SignalSource
  /** Sends a message to the launcher; null when no launcher listens. */
  readonly sendToLauncher: ((message: object) => void) | null
  openStandardInput(): Readable
  /** True if output is discarded. Node opens the null device in place of a closed descriptor. */
  standardOutputIsNull(): boolean
  /** True when a person can be asked. */
  standardInputIsTerminal(): boolean
  setExitCode(code: number): void
  /** Ends the process, even if it still waits for something. */
  exitNow(): void
  /** Ends the process by the signal itself, so that shells and supervisors see why; it does not return. */
  endBy(signal: StopSignal): void
}

/** `columns`: the width of a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown
}

const hosts = new AsyncLocalStorage<CommandHost>()

/** The host of the running command: this process, unless the command was started by `runOn`. */
export function commandHost(): CommandHost {
  return hosts.getStore() ?? processHost
}

/** Runs `work` with another host than this process. */
export function runOn<T>(host: CommandHost, work: () => T): T {
  return hosts.run(host, work)
}
