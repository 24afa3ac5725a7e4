import type { CompanyData } from '../company-data/declaration.ts'
import type { Call } from '#kit/contract/call.ts'
import type { Day, Moment } from '#kit/contract/field.ts'
import type { ModuleContract } from '#kit/contract/module-contract.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import type { ApiKeyAccess } from '../api-key.ts'
import type { App, Upload } from '../app.ts'
import type { Db, Tx } from '../db.ts'
import type { Interval } from '../intervals.ts'
import type { Cron, Job } from '../jobs.ts'
import type { LiveCall, LiveLoader } from '../live-calls.ts'
import type { RawEndpoint } from '../raw-endpoint.ts'
import type { UploadPurpose } from '../resumable-upload.ts'
import type { Caller, Scope } from '../scope.ts'
import type { SocketEndpoint } from '../sockets.ts'
import type { MenuCount, WorkQueue } from '../work-queue.ts'

/** What every handler may know besides its input. Today and now are Shanghai's. */
interface BaseContext {
  readonly scope: Scope
  readonly today: Day
  readonly now: Moment
  readonly app: App
  readonly signal: AbortSignal
  /** The address that the caller reached the product by (`https://…`), where a request came in. */
  readonly origin?: string | undefined
}

export interface ReadContext extends BaseContext {
  readonly db: Db
}

export interface WriteContext extends BaseContext {
  readonly tx: Tx
  readonly upload: Upload | undefined
}

/** Before sign-in there is no company: only the app and the address. */
export interface AnonymousContext {
  readonly app: App
  readonly ip: string
  readonly agent: string
  readonly requestId: string
  readonly now: Moment
  readonly token: string
  readonly caller: Caller | undefined
  readonly upload: Upload | undefined
}

/**
 * A call with its handler. `run` is a method, whose input the compiler compares both ways: decoding has made
 * the input what the call says, so a handler of one input stands for any.
 */
export type Handler =
  | {
      readonly call: Call
      readonly mode: 'reads'
      run(input: unknown, c: ReadContext): Promise<unknown>
    }
  | {
      readonly call: Call
      readonly mode: 'writes'
      run(input: unknown, c: WriteContext): Promise<unknown>
    }
  | {
      readonly call: Call
      readonly mode: 'anonymous'
      run(input: unknown, c: AnonymousContext): Promise<unknown>
    }

/** A handler that only reads. */
export const reads = <I, O>(call: Call<I, O>, run: (input: I, c: ReadContext) => Promise<O>): Handler => ({
  call,
  mode: 'reads',
  run,
})

/** A handler that writes: one transaction, idempotent by `uuid`, all or nothing. */
export const writes = <I, O>(call: Call<I, O>, run: (input: I, c: WriteContext) => Promise<O>): Handler => ({
  call,
  mode: 'writes',
  run,
})

/** A handler for those who have not signed in, or that opens its own transactions. */
export const anonymous = <I, O>(
  call: Call<I, O>,
  run: (input: I, c: AnonymousContext) => Promise<O>,
): Handler => ({
  call,
  mode: 'anonymous',
  run,
})

/**
 * What a module brings to the server: its calls' handlers, its kinds of long work, what it does at set times.
 */
export interface ServerModule {
  readonly handlers: readonly Handler[]
  readonly jobs?: readonly Job[]
  readonly crons?: readonly Cron[]
  /** The keys that programs present instead of a session; one module has them. */
  readonly apiKeys?: ApiKeyAccess
  readonly rawEndpoints?: readonly RawEndpoint[]
  /** What large files may be uploaded for. */
  readonly uploads?: readonly UploadPurpose[]
  /** What waits on the workbench of those who may do it, and beside the screens of the menu. */
  readonly queues?: readonly WorkQueue[]
  readonly menuCounts?: readonly MenuCount[]
  /** Lasting connections of others than browsers. */
  readonly sockets?: readonly SocketEndpoint[]
  /** What browsers may ask, and what is loaded for them, over their live connection. */
  readonly liveCalls?: readonly LiveCall[]
  readonly liveLoaders?: readonly LiveLoader[]
  readonly intervals?: readonly Interval[]
  /** Log tables of its own that are partitioned by month. */
  readonly monthlyTables?: readonly string[]
  /** What is exported of its tables with everything a company owns. */
  readonly companyData?: CompanyData
  readonly onStart?: (app: App) => Promise<void> | void
  /** Ends what the module has under way, while the database is still open. */
  readonly onClose?: (app: App) => Promise<void>
}

export interface InstalledModule {
  readonly manifest: ModuleManifest
  readonly contract: ModuleContract
  readonly server: ServerModule
}
