import type { Permission } from '#kit/contract/call.ts'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfMoment, toInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { ApprovalKindKey } from '../contract/choices.ts'
import type { ProcessInstance } from '../contract/instance.ts'
import type { ApprovalKind } from '../contract/kind.ts'

/** Of the app: what messages are sent with. */
type Messenger = Pick<App, 'clock' | 'live'>

/** What effects may use: the transaction of the decision, and the scope of the person who decided. */
export type ApprovalContext = Pick<WriteContext, 'tx' | 'scope' | 'today' | 'now'> & {
  readonly app: Messenger
}

/** What a request is made with: also by modules that hold no app of their own. */
export type RequestContext = Pick<ApprovalContext, 'tx' | 'scope' | 'now'> & { readonly app?: Messenger }

let runningApp: App | undefined

export const setRunningApp = (app: App): void => {
  runningApp = app
}

/** Where no server runs, nobody listens: messages are stored and ring no bell. */
const silent: App['live'] = { publish: () => {}, publishOnCommit: () => {}, publishInTransaction: () => {} }

export const toApprovalContext = ({ tx, scope, now, app }: RequestContext): ApprovalContext => ({
  tx,
  scope,
  now,
  today: dayOfMoment(now),
  app: app ?? runningApp ?? { clock: () => toInstant(now), live: silent },
})

/** A request as the module behind it sees it. */
export interface ApprovalRecord<F extends Fields = Fields> {
  readonly id: Id
  readonly kind: ApprovalKindKey
  /** The record of the module that waits. */
  readonly bizId: Id
  readonly applicantId: Id
  readonly projectCode?: string | undefined
  readonly form: ValueOf<F>
  /** Of the step that ended it: the words of a refusal, a withdrawal, a termination. */
  readonly opinion?: string | undefined
}

export interface AmendLinks {
  readonly wide: string
  readonly phone: string
}

/** How a request ended without an approval. */
export type ApprovalEnd = 'refused' | 'withdrawn' | 'terminated'

/** What a kind does on the server. Everything that it refuses undoes the decision that led to it (APR-5). */
export interface ApprovalEffects<F extends Fields = Fields> {
  /** Without it `requestApproval` refuses: who may ask for such a thing. */
  readonly needs?: Permission
  /**
   * Locks that stand before the request's own in the order of locks (days, bills): taken before a decision
   * locks the request.
   */
  readonly lock?: (c: ApprovalContext, record: ApprovalRecord<F>) => Promise<void>
  /**
   * The business effect, once, in the transaction of the last approval (APR-5). The scope is that of the last
   * approver with the whole data domain of the company. Where nobody needs to be asked it runs inside
   * `requestApproval`: the record of the module must be stored by then.
   */
  readonly onApproved: (c: ApprovalContext, record: ApprovalRecord<F>) => Promise<void>
  readonly onEnded?: (c: ApprovalContext, record: ApprovalRecord<F>, how: ApprovalEnd) => Promise<void>
  /**
   * The request came back to its applicant: the record shows that it waits to be amended, with the words
   * of `opinion`, and its applicant may change it until it goes in again or ends (APR-4).
   */
  readonly onReturned?: (c: ApprovalContext, record: ApprovalRecord<F>) => Promise<void>
  /**
   * The applicant sends in again from the screens of the approvals: the module checks its record as at
   * first and calls `resubmitApproval` with what it says now. Without this the form goes in unchanged.
   */
  readonly resubmit?: (
    c: ApprovalContext,
    record: ApprovalRecord<F>,
    chosen: ProcessInstance['chosen'],
  ) => Promise<void>
  /**
   * Fields of the form that its applicant changes in a request that came back; `resubmit`, which such a kind
   * has, finds them changed in the form of the record and writes the rest of the form as it is by then.
   */
  readonly amendable?: (record: ApprovalRecord<F>) => readonly (keyof F & string)[]
  /** The screen of the module that shows its record. */
  readonly link?: (record: ApprovalRecord<F>) => string
  /**
   * The screens where the applicant changes the record of a request that came back. Without them and without
   * `amendable` fields the content is fixed: it goes in again unchanged, or the request is given up.
   */
  readonly amendLinks?: (record: ApprovalRecord<F>) => AmendLinks
}

interface RegisteredKind {
  readonly kind: ApprovalKind
  readonly effects: ApprovalEffects
}

const kinds = new Map<ApprovalKindKey, RegisteredKind>()

/** A module registers each of its kinds once, while it is loaded. */
export function registerApprovalKind<F extends Fields>(
  kind: ApprovalKind<F>,
  effects: ApprovalEffects<NoInfer<F>>,
): void {
  if (kinds.has(kind.key)) throw new Error(`two modules register the approval kind ${kind.key}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its forms are of its own fields
  kinds.set(kind.key, { kind, effects } as unknown as RegisteredKind)
}

export const findApprovalKind = (key: ApprovalKindKey): RegisteredKind | undefined => kinds.get(key)

export const listApprovalKinds = (): readonly RegisteredKind[] => [...kinds.values()]
