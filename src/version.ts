import { readFileSync } from 'node:fs'

const described = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The version of this Spoor. */
export const { version } = described
