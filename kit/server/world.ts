import type { FastifyBaseLogger } from 'fastify'
import type { FileKey } from '#kit/contract/field.ts'
import type { Store, Tx } from './db.ts'
import type { Scope } from './scope.ts'
import type { Sessions } from './session.ts'

/** An uploaded file, already on disk in a private place, measured, its kind known from its bytes. It is removed after the call unless kept. */
export interface Upload { readonly name: string; readonly type: string; readonly size: number; readonly path: string }

/** Files of a company; keys are unguessable and belong to one company. */
export interface Files {
  keep(owner: number, operator: number, file: { readonly name: string; readonly type: string; readonly path: string } | { readonly name: string; readonly type: string; readonly bytes: Uint8Array }, days?: number): Promise<FileKey>
  find(owner: number, key: FileKey): Promise<{ readonly name: string; readonly type: string; readonly size: number; readonly path: string } | undefined>
}

/** Words to open browsers, over whichever server node they hang on. Ids only: the screen asks for what it may see. */
export interface Live {
  /** To one operator, to some, or to everyone of the company. `ended` closes their connections. */
  tell(owner: number, to: readonly number[] | 'all', kind: string, data?: object): void
  tellIn(tx: Tx, owner: number, to: readonly number[] | 'all', kind: string, data?: object): Promise<void>
}

/** Long work: survives the node that began it, reports progress, may be stopped, tried again, resumed (task centre). */
export interface Jobs {
  /** Enqueued in the caller's transaction; answers the task's id. */
  start(tx: Tx, scope: Scope, kind: string, title: string, input: object): Promise<number>
}

/** All that the server holds, made once at start; tests make their own. */
export interface World {
  readonly store: Store
  readonly sessions: Sessions
  readonly files: Files
  readonly live: Live
  readonly jobs: Jobs
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Milliseconds since 1970; tests turn it. */
  readonly clock: () => number
  readonly dataDir: string
}
