import type { ValueOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { QueuedItem } from '#kit/web/phone/use-stored-queue.ts'
import type { ExtraReason, SignType, StepVerdict } from '../contract/choices.ts'
import type { signFields } from '../contract/task.ts'

/** A sign that is not on the server yet. Stored in the browser: the names of its members stay. */
export interface QueuedSign extends QueuedItem {
  readonly taskId: Id
  /** Nothing where the phone does not know the code: the server keeps it beside the record. */
  readonly stepId?: Id | undefined
  /** The point or item, as its refusal is shown. */
  readonly pointName: string
  /** The place and the plan: items of several places have the same names. */
  readonly taskName?: string | undefined
  readonly signType: SignType
  readonly code?: string | undefined
  /** By the clock of the phone, whatever it shows. */
  readonly deviceMs: number
  readonly longitude?: string | undefined
  readonly latitude?: string | undefined
  readonly verdict?: StepVerdict | undefined
  readonly value?: string | undefined
  readonly items?: ValueOf<typeof signFields>['items']
  readonly abnormal?: string | undefined
  readonly remark?: string | undefined
  /** Pictures of the phone. */
  readonly photos: readonly string[]
  /** There was no network when it was signed. */
  readonly isOffline: boolean
  /** When it was written down, by the clock of the phone. */
  readonly queuedMs?: number | undefined
  /** Why the server keeps it beside the record: it has its number already. */
  readonly extraReason?: ExtraReason | undefined
}

export type NewSign = Omit<QueuedSign, 'uuid' | 'refusal' | 'isOffline' | 'queuedMs' | 'extraReason'> & {
  readonly taskName: string
}

/** Of which task and item a sign is; what was queued by an older page has no name of its task. */
export const signNameOf = ({ taskName, pointName }: Pick<QueuedSign, 'taskName' | 'pointName'>): string =>
  [taskName, pointName].filter(Boolean).join(' ')

/** What is sent later than this was kept on the phone: its page may have been closed in between. */
const maxSendingMs = 60_000

/** Whether the time of signing is that of the phone rather than that of sending. */
export const wasKept = ({ isOffline, queuedMs, deviceMs }: QueuedSign, now: number): boolean =>
  isOffline || Math.abs(now - (queuedMs ?? deviceMs)) > maxSendingMs

/** Reasons that somebody can remove, so that the same sign counts later. */
const removable: ReadonlySet<ExtraReason | undefined> = new Set([undefined, 'notAssigned', 'incomplete'])

/** A forged code or a place too far away stays what it is, however often it is sent. */
export const canRetry = ({ extraReason }: QueuedSign): boolean => removable.has(extraReason)

/** The server answers a number that it has as before: what it keeps aside already is sent under another. */
export const retriedSign = (sign: QueuedSign, uuid: string): QueuedSign => ({
  ...sign,
  uuid: sign.extraReason === undefined ? sign.uuid : uuid,
  refusal: undefined,
  extraReason: undefined,
  isOffline: true,
})
