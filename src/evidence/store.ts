import type { NativeRows } from './rows/native-rows.ts'
import type { Fragment, Statement } from './sql.ts'
import type { InsertTable } from './tables.ts'
import type { WriteLock } from './write-lock.ts'

export type { InsertTable } from './tables.ts'

/** Limits of one statement, in place of the store's limits. */
export interface StatementLimits {
  /** The engine stops the statement after this long: EvidenceError timeout. */
  max_seconds?: number
  /** The memory of the statement, within the store's limit: EvidenceError memory above it. */
  max_memory_mb?: number
  /** For a read: the most processors that it may use; by default all. */
  max_threads?: number
  /**
   * For a read that storing events or batches waits for: it runs before other waiting reads. Servers ignore it, because
   * reads do not wait for each other there.
   */
  is_urgent?: boolean
  /**
   * For a command: the most rows that it may read in a second; by default as many as it can. `row_count_check` keeps to
   * it too, because it reads the same rows again.
   */
  max_rows_a_second?: number
  /**
   * The command runs at the same time as other writes, and as one more command of this kind. It must only insert rows,
   * or write rows that no other command writes.
   */
  is_concurrent?: boolean
  /**
   * For an INSERT … SELECT on servers: they compare the number of inserted rows with the number that the SELECT yields
   * (decisions 8.1), and fail with EvidenceError unavailable if the two differ. The embedded engine needs no check,
   * because it inserts all rows of one partition or none.
   */
  row_count_check?: RowCountCheck
}

export interface RowCountCheck {
  /** A condition on the columns of the table that holds for the rows of this statement only. */
  where: Fragment
  /** The SELECT may return more rows by now, so that fewer inserted rows are also correct. */
  may_grow: boolean
}

/** The state of the store, for the operator. */
export interface EvidenceStoreState {
  /** The version of the newest migration that ran. */
  layout: number
  /** Memory that the engine uses now. */
  memory_bytes: number
}

/** The evidence store: facts and derived rows. It fails with EvidenceError; no engine is visible here (decisions 8). */
export interface EvidenceStore {
  /** Held while pages and facts are written, and while pages without facts are deleted. */
  readonly writeLock: WriteLock
  /**
   * Whether `_part` identifies the same rows in every statement. On servers it may not, because each has its own parts.
   */
  readonly has_own_parts: boolean
  /**
   * A text that changes whenever rows of the table are inserted or deleted. Null during such a change, and on servers,
   * where other processes also change tables.
   */
  versionOf(table: InsertTable): string | null
  /** Reads all rows of a statement, checked against its schema. Readers cannot write. 30 s and 300 MB by default. */
  all<T>(statement: Statement<T>, limits?: StatementLimits): Promise<T[]>
  /**
   * Runs a command that changes rows or tables: INSERT … SELECT, DELETE, ALTER … DROP PARTITION, TRUNCATE. Commands run
   * one at a time, in order. The change is durable once it resolves. 10 minutes and 400 MB by default.
   */
  run(command: Fragment, limits?: StatementLimits): Promise<void>
  /**
   * Adds rows to a table: from `jsonRows`, with the columns in the order of `INSERT_COLUMNS`, or by column if there are
   * many rows. Durable once it resolves; all or nothing for up to a million rows of one partition (one month
   * of facts, one delivery).
   * @throws EvidenceError bug: the engine wrote another number of rows than `count`.
   */
  insert(table: InsertTable, rows: Uint8Array | NativeRows, count: number): Promise<void>
  /** Resolves when the store responds, also while every reader and the writer are busy. */
  ping(): Promise<void>
  state(): Promise<EvidenceStoreState>
  /**
   * Returns memory that this process does not need now, for example after much work. It blocks the thread for about
   * 20 ms, and needed memory is loaded again automatically. On servers it does nothing.
   */
  releaseMemory(): void
  /** Refuses new statements, stops running ones, and releases the folder. It may be called twice. */
  close(): Promise<void>
}

/** Rows in ClickHouse's format Native, and their number. */
export interface NativePart {
  count: number
  bytes: Uint8Array
}

/** An evidence store on servers, to which the rows of an embedded one can be moved (decisions 8.2). */
export interface ServerEvidence extends EvidenceStore {
  /**
   * Adds rows of one partition with these columns, in their order. Durable once it resolves.
   * @throws EvidenceError bug: the engine wrote another number of rows than `count`.
   */
  insertNative(table: string, columns: readonly string[], rows: NativePart): Promise<void>
}

/** A table of an embedded store, and the folder that its parts are in or must be put into. */
export interface TableFolder {
  table: string
  folder: string
}

/** An evidence store in this process, whose files can be backed up and restored (decisions 1, backup and restore). */
export interface EmbeddedEvidence extends EvidenceStore {
  /** The version of the newest migration that its tables have. */
  readonly layout: number
  /**
   * Calls `work` with every table as of one instant, as files that do not change and are removed when `work` ends. No
   * bytes are copied. `first` runs just before that instant; no evidence is written after it has begun.
   */
  freeze<T>(first: () => Promise<void>, work: (tables: TableFolder[]) => Promise<T>): Promise<T>
  /** Streams the rows of a statement, however many, in pieces of some ten thousand. One stream at a time. */
  readNative(select: Fragment): AsyncIterable<NativePart>
  /** Attaches the parts that `place` puts into the given folders; for a store whose tables are empty. */
  attach(place: (tables: TableFolder[]) => Promise<void>): Promise<void>
}
