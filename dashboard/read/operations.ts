/**
 * Which operations the service answers below `/dashboard-api/`, with their inputs and outputs. All of them are types of
 * the contract; nothing of it runs in the browser.
 */
import type Type from 'typebox'
import type { Meta, operations } from '../../src/contract/site-api/index.ts'
import type { AccountRole, Role } from '../../src/contract/vocabulary.ts'

type SiteOperation = (typeof operations)[number]

/** A path parameter is a query parameter here; what has a default may be left out. */
type InputOf<O extends SiteOperation> = (O['path'] extends `${string}{site}${string}` ? { site: string } : unknown) &
  Type.Static<O['params']> &
  Partial<Type.Static<O['query']>>

type SiteReads = {
  [O in SiteOperation as O['id']]: { input: InputOf<O>; output: Type.Static<O['output']> }
}

export interface SessionSite {
  id: string
  root_domain: string
  role: Role
}

export interface Session {
  user: { id: string; email: string | null; account_role: AccountRole }
  account: { id: string; name: string }
  sites: SessionSite[]
  brands: { id: string; name: string; site_id?: string | null }[]
  /** Whether this person steers the installation. */
  installation_role: 'operator' | null
  version: string
  theme: 'system' | 'light' | 'dark'
}

export type CoverageReason =
  | 'backfill'
  | 'sampled'
  | 'capped'
  | 'filtered'
  | 'stale'
  | 'unreadable_lines'
  | 'no_signal'
  | 'collection_interrupted'

export interface CoverageDay {
  date: string
  state: 'complete' | 'partial' | 'gap'
  minutes: number | null
  sampling: number | null
  reasons: CoverageReason[]
  source_id: string | null
}

export interface Coverage {
  meta: Meta
  days: CoverageDay[]
  hosts: { host: string; days: CoverageDay[] }[]
}

interface DashboardReads {
  getSession: { input: Record<never, never>; output: Session }
  getCoverage: { input: { site: string; window?: string }; output: Coverage }
}

export type Reads = SiteReads & DashboardReads
export type ReadId = keyof Reads
export type ReadInput<Id extends ReadId> = Reads[Id]['input']
export type ReadOutput<Id extends ReadId> = Reads[Id]['output']

export interface Changes {
  signIn: { input: { email: string; password: string }; output: unknown }
  signOut: { input: Record<never, never>; output: unknown }
  signOutEverywhere: { input: Record<never, never>; output: unknown }
  confirmPassword: { input: { password: string }; output: unknown }
  /** Whom a one-time link is for; refused for one that is not in force. */
  findLink: { input: { token: string }; output: { email: string | null; expires_at: string } }
  choosePassword: {
    input: { token: string; password: string; email?: string }
    output: { email: string; is_signed_in: boolean }
  }
}
export type ChangeId = keyof Changes
