/** What a test sees of a command, whether it runs in this process (cli.ts) or in one of its own (processes.ts). */
import { EventEmitter, once } from 'node:events'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
  /** Resolves once its output matches; throws, with all of it, when the command ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  hasEnded(): boolean
  ended: Promise<Ended>
}

export interface Asking {
  url: string
  /** Status and body of a GET. */
  get(path: string, key?: string): Promise<{ status: number; body: Record<string, unknown> }>
}

/** Collects the output of one command. */
export class Screen {
  readonly text = { stdout: '', stderr: '' }
  #over = false
  readonly #changes = new EventEmitter()

  add(stream: 'stdout' | 'stderr', chunk: unknown): void {
    this.text[stream] += chunk
    this.#changes.emit('change')
  }

  end(): void {
    this.#over = true
    this.#changes.emit('change')
  }

  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const { stdout, stderr } = this.text
      const found = pattern.exec(stdout + stderr)
      if (found !== null) return found
      if (this.#over) throw new Error(`It ended without ${pattern}: ${stdout}${stderr}`)
      await once(this.#changes, 'change')
    }
  }
}

/** The service that a `spoor serve` started, once it says where it listens. */
export async function asking(running: Running): Promise<Asking> {
  const [, url = ''] = await running.says(/listens on (http:\S+)\. /)
  return {
    url,
    async get(path, key) {
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const response = await fetch(url + path, { headers })
      const text = await response.text()
      const isJson = /json/.test(String(response.headers.get('content-type')))
      return { status: response.status, body: isJson ? JSON.parse(text) : {} }
    },
  }
}
