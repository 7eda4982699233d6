import Type from 'typebox'
import { oneOf } from '../fields.ts'
import { onInstallation } from './define.ts'

const FINDING_LEVELS = ['ok', 'warn', 'fail'] as const

const Finding = Type.Object({
  /** Stable: scripts and alerts may rest on it. */
  code: Type.String(),
  level: oneOf(FINDING_LEVELS),
  /** What was found here, in one sentence. */
  message: Type.String(),
  /** What to do; empty when there is nothing to do. */
  advice: Type.String(),
})

export const diagnose = onInstallation('doctor', 'Check stores, sources, trackers, left-over work and clocks', {
  output: Type.Object({ findings: Type.Array(Finding) }),
})
