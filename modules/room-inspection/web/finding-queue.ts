import { Refused } from '#kit/contract/wire.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { describeRefusal } from '#kit/web/phone/describe-refusal.ts'
import { sendInOrder, useResend } from '#kit/web/phone/resend.ts'
import { dropPhotos, uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import { useStoredQueue, type QueuedItem } from '#kit/web/phone/use-stored-queue.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { newUuid } from '#kit/web/send.ts'
import type { findingResult, recheckResult } from '../contract/choices.ts'
import { recheckFinding, saveFinding, type InspectionFinding } from '../contract/finding.ts'

/** How an item was judged, the first time or when looked at again; of a problem what it is. */
export type Judgement = (
  | { readonly result: ChoiceOf<typeof findingResult> }
  | { readonly recheckResult: ChoiceOf<typeof recheckResult> }
) & { readonly problem?: string }

/** A judgement that is not on the server yet. Stored in the browser: the names of its members stay. */
export interface QueuedJudgement extends QueuedItem {
  readonly inspectionId: Id
  readonly findingId: Id
  readonly judgement: Judgement
  /** Pictures of the phone or keys of the server. */
  readonly photos: readonly string[]
}

/** On a weak network a judgement is kept before the person gives up. */
const sendTimeout = 20_000

const queueName = 'room-inspection.judgements'
const noJudgements: readonly QueuedJudgement[] = []

async function sendJudgement({ uuid, findingId: id, judgement, photos }: QueuedJudgement): Promise<void> {
  const options = { quiet: true, uuid, timeout: sendTimeout }
  const keys = await uploadPhotos(photos)
  const pictures = keys.length ? { photos: keys } : {}
  if ('result' in judgement) {
    await sendAndInvalidate(saveFinding, { id, ...judgement, ...pictures }, options)
  } else {
    await sendAndInvalidate(recheckFinding, { id, ...judgement, ...pictures }, options)
  }
}

/** The findings of a sheet as they will be once the server has what waits. */
export const applyJudgements = (
  findings: readonly InspectionFinding[],
  waiting: readonly QueuedJudgement[],
): InspectionFinding[] =>
  findings.map(finding =>
    waiting
      .filter(({ findingId, refusal }) => findingId === finding.id && refusal === undefined)
      .reduce<InspectionFinding>((before, { judgement, photos }) => {
        return { ...before, ...judgement, photos: [...photos] }
      }, finding),
  )

/**
 * Judgements of a sheet: sent at once, else kept and sent later, once and in order; the newest of an item
 * replaces one that still waits.
 */
export function useJudgements(inspectionId: Id) {
  const { queue, change, read } = useStoredQueue(queueName, noJudgements)
  const sendable = queue.filter(({ refusal }) => refusal === undefined)
  // Its pictures last: a judgement that is still there after the page has ended must find them.
  const drop = ({ uuid, photos }: QueuedJudgement): void => {
    change(before => before.filter(other => other.uuid !== uuid))
    dropPhotos(photos)
  }
  const flush = (): Promise<boolean> =>
    sendInOrder(
      sendable,
      async queued => {
        if (!read().some(other => other.uuid === queued.uuid)) return
        await sendJudgement(queued)
        drop(queued)
      },
      ({ uuid }, refused) =>
        change(before =>
          before.map(other =>
            other.uuid === uuid ? { ...other, refusal: describeRefusal(refused, '') } : other,
          ),
        ),
    )
  const upload = useResend(queueName, sendable.length > 0, flush)
  /** Ends when the server has it or it waits for the network. Throws what was refused. */
  const judge = async (findingId: Id, judgement: Judgement, photos: readonly string[]): Promise<void> => {
    const queued: QueuedJudgement = { uuid: newUuid(), inspectionId, findingId, judgement, photos }
    const isOther = (other: QueuedJudgement): boolean => other.findingId !== findingId
    if (read().every(isOther)) {
      try {
        await sendJudgement(queued)
        return dropPhotos(photos)
      } catch (error) {
        if (error instanceof Refused) throw error
      }
    }
    change(before => [...before.filter(isOther), queued])
  }
  return { waiting: queue.filter(other => other.inspectionId === inspectionId), judge, upload, drop }
}

export type Judgements = ReturnType<typeof useJudgements>
