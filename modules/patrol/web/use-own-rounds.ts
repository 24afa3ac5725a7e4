import { fromInstant } from '#kit/domain/moment.ts'
import { useStoredAnswer } from '#kit/web/phone/use-stored-answer.ts'
import type { QueuedSign, SignAnswer } from '#modules/planned-work/web/public.signs.ts'
import { listOwnRounds } from '../contract/round.ts'
import { withAnswer, type Round } from './rounds.ts'

const noRounds: readonly Round[] = []

/** The person's rounds, kept on the phone for where there is no network. */
export function useOwnRounds() {
  const { answer, change, refetch, ...own } = useStoredAnswer(listOwnRounds, {}, 'patrol.rounds')
  const applyAnswer = (sign: QueuedSign, { isKept, stepId, result }: SignAnswer): void => {
    if (!isKept || stepId === undefined) return
    change(before =>
      withAnswer(before, stepId, {
        result,
        signTime: fromInstant(sign.deviceMs),
        isAbnormal: sign.abnormal !== undefined,
      }),
    )
    refetch()
  }
  return { ...own, rounds: answer ?? noRounds, refetch, applyAnswer }
}
