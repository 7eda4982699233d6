/** The body of a refusal: `{code, title, detail, step?, errors?}`. */
interface RefusalBody {
  code?: string
  title?: string
  detail?: string
  step?: string
  errors?: FieldError[]
}

/** What is wrong with one field of the input. */
export interface FieldError {
  /** Its name; members of members are joined by dots: `steps.0.path`. */
  field: string
  code?: string
  detail: string
}

export class Refusal extends Error {
  /** 0: there was no answer at all. */
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string | null
  readonly step: string | null
  readonly errors: readonly FieldError[]
  readonly request_id: string | null

  constructor({ status, request_id, body }: { status: number; request_id: string | null; body: unknown }) {
    const given = (typeof body === 'object' && body !== null ? body : {}) as RefusalBody
    super(given.detail ?? given.title ?? `HTTP status ${status}`)
    this.name = 'Refusal'
    this.status = status
    this.code = given.code ?? (status === 0 ? 'no_answer' : 'unexpected')
    this.title = given.title ?? 'Unexpected answer'
    this.detail = given.detail ?? null
    this.step = given.step ?? null
    this.errors = given.errors ?? []
    this.request_id = request_id
  }
}

export const isRefusal = (error: unknown, status: number): error is Refusal =>
  error instanceof Refusal && error.status === status
