import type { Readable } from 'node:stream'
import type { Id } from '#kit/domain/id.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { FileKey } from '#kit/contract/field.ts'
import type { ByteRange } from '#kit/contract/file-response.ts'
import type { Database, Tx } from './db.ts'
import type { Scope } from './scope.ts'
import type { Sessions } from './session.ts'

/**
 * An uploaded file, already on disk in a private place, measured, its kind known from its bytes. It is
 * removed after the call unless kept.
 */
export interface Upload {
  readonly name: string
  /** As it was sent, where `name` leaves something of it out. */
  readonly sentName?: string
  readonly type: string
  readonly size: number
  readonly path: string
  /** Where it was hashed on its way. */
  readonly sha256?: string
}

/** A file as it was saved; its bytes are on this machine or in an object store. */
export interface StoredFile {
  readonly name: string
  readonly type: string
  readonly size: number
  /** Its bytes, whole or in part; refuses where they are gone. */
  read(range?: ByteRange): Promise<Readable>
  /** Works on the bytes at a path, which may be there for that long only. */
  withPath<T>(work: (path: string) => Promise<T>): Promise<T>
}

/** Files of a company; keys are unguessable and belong to one company. */
export interface Files {
  /**
   * Takes the file at `path` away (or writes the bytes). With `days` it is removed after them; with `tx` it
   * is there only if that commits, and the file at `path` stays.
   */
  save(
    ownerId: Id,
    operator: Id,
    file: { readonly name: string; readonly type: string } & (
      | { readonly path: string }
      | { readonly bytes: Uint8Array }
    ),
    days?: number,
    tx?: Tx,
  ): Promise<FileKey>
  find(ownerId: Id, key: FileKey): Promise<StoredFile | undefined>
  /** Files that nothing names any more: their bytes go when `tx` has committed. */
  discard(tx: Tx, ownerId: Id, keys: readonly FileKey[]): Promise<void>
  /** Of those that are there, in any order. */
  describe(
    ownerId: Id,
    keys: readonly FileKey[],
  ): Promise<{ readonly key: FileKey; readonly name: string; readonly type: string; readonly size: number }[]>
  /**
   * An address that needs no token, for an hour or two: `<img src>`. The same for a while, so that browsers
   * cache it.
   */
  signedUrl(ownerId: Id, key: FileKey): string
  /** Whether such an address is genuine and still valid. */
  isValidSignature(ownerId: Id, key: FileKey, until: number, signature: string): boolean
  /** Signs an address of a module's own, as `signedUrl` does; `until` in seconds since 1970. */
  sign(message: string): { readonly until: number; readonly signature: string }
  isSigned(message: string, until: number, signature: string): boolean
  /** Deletes what has expired, and files that no row names. */
  sweep(): Promise<void>
}

/** Whom a message is for: some operators, everyone of the company, or the subscribers of a topic. */
export type Audience = readonly Id[] | 'all' | { readonly topic: string }

/**
 * Messages to open browsers, whichever server process they are connected to. They carry ids only: the screen
 * reads what it may see. A message can be lost; the tables hold the state.
 */
export interface Live {
  publish(ownerId: Id, to: Audience, kind: string, data?: object): void
  /** After the commit, never after a rollback. */
  publishOnCommit(tx: Tx, ownerId: Id, to: Audience, kind: string, data?: object): void
  /**
   * Sent by the commit itself: messages arrive in the order of their commits, whatever process they are of.
   * Such commits wait for each other, so it is for messages whose order counts.
   */
  publishInTransaction(tx: Tx, ownerId: Id, to: Audience, kind: string, data?: object): void
}

/**
 * Long work: survives the process that began it, reports progress, may be stopped, tried again, resumed (task
 * centre).
 */
export interface Jobs {
  /** Enqueued in the caller's transaction. Returns the task's id. */
  start(tx: Tx, scope: Scope, kind: string, title: string, input: object): Promise<Id>
  /** Stops a task of the company: at once when it waits, at its next step when it runs. */
  cancel(tx: Tx, ownerId: Id, task: Id): Promise<void>
  /** A failed or stopped task runs again, from its checkpoint. */
  retry(tx: Tx, ownerId: Id, task: Id): Promise<void>
}

/** All that the server holds, made once at start; tests make their own. */
export interface App {
  readonly database: Database
  readonly sessions: Sessions
  readonly files: Files
  readonly live: Live
  readonly jobs: Jobs
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error' | 'level'>
  /** Milliseconds since 1970; tests turn it. */
  readonly clock: () => number
  readonly dataDir: string
  /** Where this server listens, once it does. */
  readonly originUrl?: () => string
}
