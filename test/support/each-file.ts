/** Runs before each test file (vitest.config.ts, `setupFiles`). */
import { expect } from 'vitest'
import { guardFile } from './left-open.ts'

guardFile(expect.getState().testPath ?? 'a test file')
