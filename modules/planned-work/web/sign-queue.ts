import type { Call } from '#kit/contract/call.ts'
import type { ValueOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { sendInOrder, useResend } from '#kit/web/phone/resend.ts'
import { dropPhotos, uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import { useStoredQueue, type StoredQueue } from '#kit/web/phone/use-stored-queue.ts'
import { newUuid, send } from '#kit/web/send.ts'
import type { signAnswerFields, signFields } from '../contract/task.ts'
import { retriedSign, wasKept, type NewSign, type QueuedSign } from './queued-sign.ts'

type SignInput = ValueOf<typeof signFields>
export type SignAnswer = ValueOf<typeof signAnswerFields>

/** A call that takes what a phone signed; each kind of work has its own. */
export type SignCall = Call<
  { readonly signs: readonly SignInput[]; readonly sentTime?: Moment | undefined },
  readonly SignAnswer[]
>

const noSigns: readonly QueuedSign[] = []

/** On a weak network a sign is kept before the person gives up. */
const sendTimeout = 15_000

/** No number for the request itself: the sign has its own, and the time of sending differs each time. */
async function sendSign(call: SignCall, sign: QueuedSign): Promise<SignAnswer> {
  const { uuid, taskId, stepId, signType, code, deviceMs, longitude, latitude, items, photos } = sign
  const { verdict, value, abnormal, remark } = sign
  const keys = await uploadPhotos(photos)
  const now = Date.now()
  const input: SignInput = {
    uuid,
    taskId,
    stepId,
    signType,
    code,
    longitude,
    latitude,
    items,
    verdict,
    value,
    abnormal,
    remark,
    deviceTime: fromInstant(deviceMs),
    isOffline: wasKept(sign, now),
    photos: keys.length ? keys : undefined,
  }
  const [answer] = await send(
    call,
    { sentTime: fromInstant(now), signs: [input] },
    { quiet: true, timeout: sendTimeout, project: 0 },
  )
  return defined(answer)
}

export interface SignQueue {
  readonly queue: readonly QueuedSign[]
  readonly waiting: readonly QueuedSign[]
  /** What was not counted or was refused, with the reason. */
  readonly refused: readonly QueuedSign[]
  readonly add: (signs: readonly NewSign[]) => void
  readonly retry: (sign: QueuedSign) => void
  readonly drop: (sign: QueuedSign) => void
  readonly upload: () => void
}

interface SignQueueOptions {
  /** Phones have signs under this name. */
  readonly name: string
  readonly call: SignCall
  readonly onAnswer: (sign: QueuedSign, answer: SignAnswer) => void
}

const isUnsent = ({ refusal }: QueuedSign): boolean => refusal === undefined

/** Sends what waits, one after the other: each answer decides of its sign alone. */
function createSender(
  { call, onAnswer }: SignQueueOptions,
  { change, read }: Pick<StoredQueue<readonly QueuedSign[]>, 'change' | 'read'>,
) {
  const drop = ({ uuid, photos }: QueuedSign): void => {
    change(before => before.filter(other => other.uuid !== uuid))
    dropPhotos(photos)
  }
  const mark = (sign: QueuedSign, changed: Partial<QueuedSign>): void =>
    change(before => before.map(other => (other.uuid === sign.uuid ? { ...other, ...changed } : other)))
  const unsent = (): readonly QueuedSign[] => read().filter(isUnsent)
  const sendUnsent = (): Promise<boolean> =>
    sendInOrder(
      unsent(),
      async sign => {
        const answer = await sendSign(call, sign)
        onAnswer(sign, answer)
        if (answer.isKept) {
          drop(sign)
        } else {
          mark(sign, { refusal: answer.message, extraReason: answer.extraReason })
        }
      },
      (sign, refused) => mark(sign, { refusal: describeRefusal(refused, '') }),
    )
  const flush = async (): Promise<boolean> => {
    let isAllSent = await sendUnsent()
    // What was signed while the others were sent.
    while (isAllSent && unsent().length) {
      isAllSent = await sendUnsent()
    }
    if (!isAllSent) {
      change(before => before.map(sign => (isUnsent(sign) ? { ...sign, isOffline: true } : sign)))
    }
    return isAllSent
  }
  return { flush, drop }
}

/** Signs of the person on this phone: written down first, then sent, once and in order. */
export function useSignQueue(options: SignQueueOptions): SignQueue {
  const stored = useStoredQueue(options.name, noSigns)
  const { queue, change } = stored
  const waiting = queue.filter(isUnsent)
  const { flush, drop } = createSender(options, stored)
  const upload = useResend(options.name, waiting.length > 0, flush)
  const add = (signs: readonly NewSign[]): void => {
    const queuedMs = Date.now()
    const isOffline = !navigator.onLine
    change(before => [...before, ...signs.map(sign => ({ ...sign, uuid: newUuid(), queuedMs, isOffline }))])
    upload()
  }
  const retry = (sign: QueuedSign): void => {
    const again = retriedSign(sign, newUuid())
    change(before => before.map(other => (other.uuid === sign.uuid ? again : other)))
    upload()
  }
  const refused = queue.filter(sign => !isUnsent(sign))
  return { queue, waiting, refused, add, retry, drop, upload }
}
