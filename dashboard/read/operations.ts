/**
 * Which operations the service answers below `/dashboard-api/`, with their inputs and outputs. All of them are types of
 * the contract; nothing of it runs in the browser.
 */
import type Type from 'typebox'
import type { AccountOperation } from '../../src/contract/account-api/index.ts'
import type { DashboardOperation, SignInCalls } from '../../src/contract/dashboard-api/index.ts'
import type { ManagementOperation } from '../../src/contract/management-api/index.ts'
import type { SiteOperation } from '../../src/contract/site-api/index.ts'

/** Path parameters are fields beside the others here; parameters with a default may be left out. */
type HttpInput<O extends SiteOperation | AccountOperation> = (O['path'] extends `${string}{site}${string}`
  ? { site: string }
  : unknown) &
  Type.Static<O['params']> &
  Partial<Type.Static<O['query']>> &
  (O extends { readonly body: infer Body extends Type.TSchema } ? Type.Static<Body> : unknown)

/** Parameters that have a default in every operation. */
type DefaultName = 'window' | 'purpose' | 'limit' | 'offset'

/** The input, without the fields for which the service has defaults. */
type CallInput<Input> = Omit<Input, DefaultName> & Partial<Pick<Input, DefaultName & keyof Input>>

interface Call<Input, Output> {
  input: Input
  output: Output
}

type Calls = {
  [O in SiteOperation | AccountOperation as O['id']]: Call<HttpInput<O>, Type.Static<O['output']>>
} & {
  [O in ManagementOperation | DashboardOperation as O['id']]: Call<
    CallInput<Type.Static<O['input']>>,
    Type.Static<O['output']>
  >
}

type SignIn = {
  [Id in keyof SignInCalls]: Call<Type.Static<SignInCalls[Id]['body']>, Type.Static<SignInCalls[Id]['answer']>>
}

/** Every operation that only reads; others are called by `change`. */
export type ReadId = keyof Calls
export type ReadInput<Id extends ReadId> = Calls[Id]['input']
export type ReadOutput<Id extends ReadId> = Calls[Id]['output']

export type Changes = Calls & SignIn
export type ChangeId = keyof Changes

export type Session = ReadOutput<'getSession'>
export type SessionSite = Session['sites'][number]
