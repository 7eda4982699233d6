import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { COMPILE_CACHE } from './compile-cache.ts'

/** A process of ours that a test ends by kill -9. */
export interface TestChild {
  process: ChildProcess
  /** The next line it prints; throws, with its complaints, when it ends without one. */
  line(): Promise<string>
  /** What it wrote to its standard error so far. */
  complaints(): string
  kill(): Promise<void>
}

/** Starts a TypeScript file of the tests as a process of its own, with arguments. */
export function startChild(script: URL, ...args: string[]): TestChild {
  const child = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...COMPILE_CACHE },
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  return {
    process: child,
    async line() {
      const { value, done } = await lines.next()
      if (done) throw new Error(`The child ended without a line: ${complaints}`)
      return value
    },
    complaints: () => complaints,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
