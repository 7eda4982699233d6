/** Runs before each test file (vitest.config.ts, `setupFiles`). */
import { expect } from 'vitest'
import { guardFile } from './left-open.ts'
import { lowerPasswordCost } from './password-cost.ts'

guardFile(expect.getState().testPath ?? 'a test file')
lowerPasswordCost()
