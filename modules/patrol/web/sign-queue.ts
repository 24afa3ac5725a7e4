import type { ChoiceOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { sendInOrder, useResend } from '#kit/web/phone/resend.ts'
import { dropPhotos, uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import { useStoredQueue, type QueuedItem } from '#kit/web/phone/use-stored-queue.ts'
import { newUuid, send } from '#kit/web/send.ts'
import type { signType } from '#modules/planned-work/contract/choices.ts'
import { sendPatrolSigns } from '../contract/round.ts'

type SignInput = NonNullable<typeof sendPatrolSigns.input.T>['signs'][number]
export type SignAnswer = NonNullable<typeof sendPatrolSigns.output.T>[number]

/** A sign that is not on the server yet. Stored in the browser: the names of its members stay. */
export interface QueuedSign extends QueuedItem {
  readonly taskId: Id
  /** Nothing where the telephone does not know the code: the server keeps it beside the record. */
  readonly stepId?: Id | undefined
  readonly pointName: string
  readonly signType: ChoiceOf<typeof signType>
  readonly code?: string | undefined
  /** By the clock of the telephone, whatever it shows. */
  readonly deviceMs: number
  readonly longitude?: string | undefined
  readonly latitude?: string | undefined
  readonly items?: SignInput['items']
  readonly abnormal?: string | undefined
  /** Pictures of the telephone. */
  readonly photos: readonly string[]
  /** There was no network when it was signed. */
  readonly isOffline: boolean
}

export type NewSign = Omit<QueuedSign, 'uuid' | 'refusal' | 'isOffline'>

const queueName = 'patrol.signs'
const noSigns: readonly QueuedSign[] = []

/** On a weak network a sign is kept before the person gives up. */
const sendTimeout = 15_000

/** No number for the request itself: the sign has its own, and the time of sending differs each time. */
async function sendSign(sign: QueuedSign): Promise<SignAnswer> {
  const { refusal: _refusal, pointName: _name, deviceMs, photos, ...values } = sign
  const keys = await uploadPhotos(photos)
  const input: SignInput = {
    ...values,
    deviceTime: fromInstant(deviceMs),
    ...(keys.length ? { photos: keys } : {}),
  }
  const [answer] = await send(
    sendPatrolSigns,
    { sentTime: fromInstant(Date.now()), signs: [input] },
    { quiet: true, timeout: sendTimeout },
  )
  return defined(answer)
}

export interface SignQueue {
  readonly queue: readonly QueuedSign[]
  readonly waiting: readonly QueuedSign[]
  /** What was not counted or was refused, with the reason. */
  readonly refused: readonly QueuedSign[]
  readonly add: (sign: NewSign) => void
  readonly drop: (sign: QueuedSign) => void
  readonly upload: () => void
}

/** Signs of the person on this telephone: written down first, then sent, once and in order. */
export function useSignQueue(onAnswer: (sign: QueuedSign, answer: SignAnswer) => void): SignQueue {
  const { queue, change, read } = useStoredQueue(queueName, noSigns)
  const waiting = queue.filter(({ refusal }) => refusal === undefined)
  const drop = ({ uuid, photos }: QueuedSign): void => {
    change(before => before.filter(other => other.uuid !== uuid))
    dropPhotos(photos)
  }
  const mark = (sign: QueuedSign, changed: Partial<QueuedSign>): void =>
    change(before => before.map(other => (other.uuid === sign.uuid ? { ...other, ...changed } : other)))
  const unsent = (): readonly QueuedSign[] => read().filter(({ refusal }) => refusal === undefined)
  const sendUnsent = (): Promise<boolean> =>
    sendInOrder(
      unsent(),
      async sign => {
        const answer = await sendSign(sign)
        onAnswer(sign, answer)
        if (answer.isKept) {
          drop(sign)
        } else {
          mark(sign, { refusal: answer.message })
          dropPhotos(sign.photos)
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
      change(before => before.map(sign => (sign.refusal === undefined ? { ...sign, isOffline: true } : sign)))
    }
    return isAllSent
  }
  const upload = useResend(queueName, waiting.length > 0, flush)
  const add = (sign: NewSign): void => {
    change(before => [...before, { ...sign, uuid: newUuid(), isOffline: !navigator.onLine }])
    upload()
  }
  const refused = queue.filter(({ refusal }) => refusal !== undefined)
  return { queue, waiting, refused, add, drop, upload }
}
