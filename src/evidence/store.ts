import type { NativeRows } from './native-rows.ts'
import type { Fragment, Statement } from './sql.ts'
import type { InsertTable } from './tables.ts'
import type { WriteLock } from './write-lock.ts'

export type { InsertTable } from './tables.ts'

/** Limits of one statement, where the store's own do not fit. */
export interface StatementLimits {
  /** The engine stops the statement after this long: EvidenceError timeout. */
  max_seconds?: number
  /** The statement's own memory, within the store's cap: EvidenceError memory past it. */
  max_memory_mb?: number
  /** Of a read: how many processors it may use; as many as there are by default. */
  max_threads?: number
  /**
   * A command that runs beside other writes, and beside one more of its kind, instead of after them: it must write what
   * no other command writes, or only add rows.
   */
  is_beside_writes?: boolean
  /**
   * Of an INSERT … SELECT: the rows of its table that it alone may have added. Servers compare their number with what
   * the SELECT gives (decisions 8.1): EvidenceError unavailable when they differ. The embedded engine need not: it adds
   * all rows of one partition or none.
   */
  confirmed?: ConfirmedRows
}

export interface ConfirmedRows {
  /** A condition on the columns of the table. */
  are: Fragment
  /** True where what the SELECT reads may have grown since: then fewer rows are right too. */
  may_grow: boolean
}

/** How the store itself does, for the operator. */
export interface EvidenceStoreState {
  /** Number of the newest layout step that ran. */
  layout: number
  /** Memory that the engine holds now. */
  memory_bytes: number
}

/** The evidence store: requests and what is derived. Fails with EvidenceError; no engine shows here (decisions 8). */
export interface EvidenceStore {
  /** Held while pages and facts are written, and while pages without facts are deleted. */
  readonly writeLock: WriteLock
  /**
   * Whether `_part` names the same rows in every statement. On servers it may not, because each has parts of its own.
   */
  readonly has_own_parts: boolean
  /**
   * Another text once rows of the table were inserted or deleted. Null while they are, and on servers, where other
   * processes change tables too.
   */
  versionOf(table: InsertTable): string | null
  /** Reads all rows of a statement, checked against its schema. Readers cannot write. 30 s and 300 MB by default. */
  all<T>(statement: Statement<T>, limits?: StatementLimits): Promise<T[]>
  /**
   * Runs a command that changes something: INSERT … SELECT, DELETE, ALTER … DROP PARTITION, TRUNCATE. One at a time, in
   * order. What it wrote is durable once it resolves. 10 minutes and 400 MB by default.
   */
  run(command: Fragment, limits?: StatementLimits): Promise<void>
  /**
   * Adds rows to a table, made by `jsonRows` with the table's columns in the order of `INSERT_COLUMNS`, or by column
   * where they are many. Durable once it resolves; all or nothing for up to a million rows of one partition (one month
   * of facts, one delivery).
   * @throws EvidenceError bug, when the engine took another number of rows than `count`.
   */
  insert(table: InsertTable, rows: Uint8Array | NativeRows, count: number): Promise<void>
  /** Resolves when the store answers, also while every reader and the writer are busy. */
  ping(): Promise<void>
  state(): Promise<EvidenceStoreState>
  /**
   * After much work: gives back memory of this process that is not needed for now. Holds the thread for some 20 ms, and
   * what is needed again comes back by itself. On servers it does nothing.
   */
  releaseMemory(): void
  /** Refuses new statements, stops running ones, and lets go of the folder; closing twice is harmless. */
  close(): Promise<void>
}

/** Rows in ClickHouse's own format Native, and how many they are. */
export interface NativePart {
  count: number
  bytes: Uint8Array
}

/** An evidence store on servers, which can take over the rows of an embedded one (decisions 8.2). */
export interface ServerEvidence extends EvidenceStore {
  /**
   * Adds rows of one partition with these columns, in their order. Durable once it resolves.
   * @throws EvidenceError bug, when the engine wrote another number of rows.
   */
  insertNative(table: string, columns: readonly string[], rows: NativePart): Promise<void>
}

/** A table of an embedded store and the folder that its parts lie in, or are to be put into. */
export interface TableFolder {
  table: string
  folder: string
}

/** An evidence store in this process, whose files can be taken along and put back (decisions 1, backup and restore). */
export interface EmbeddedEvidence extends EvidenceStore {
  /** How many steps of the layout its tables have. */
  readonly layout: number
  /**
   * Hands `work` every table as of one instant: files that nothing changes any more, gone when `work` ends. No bytes
   * are copied. `first` runs just before that instant, and no evidence is written from its beginning on.
   */
  freeze<T>(first: () => Promise<void>, work: (tables: TableFolder[]) => Promise<T>): Promise<T>
  /** Streams the rows of a statement, however many, in pieces of some ten thousand. One stream at a time. */
  readNative(select: Fragment): AsyncIterable<NativePart>
  /** Takes in the parts that `place` puts into the folders it is handed; for a store whose tables are still empty. */
  attach(place: (tables: TableFolder[]) => Promise<void>): Promise<void>
}
