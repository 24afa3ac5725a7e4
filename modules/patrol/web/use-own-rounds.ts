import { useEffect } from 'react'
import { fromInstant } from '#kit/domain/moment.ts'
import { readStored, saveStored, useStored } from '#kit/web/browser-store.ts'
import { useCall } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { listOwnRounds } from '../contract/round.ts'
import { withAnswer, type Round } from './rounds.ts'
import type { QueuedSign, SignAnswer } from './sign-queue.ts'

const noRounds: readonly Round[] = []

export interface OwnRounds {
  readonly rounds: readonly Round[]
  readonly isLoading: boolean
  /** The rounds are those of the last time that there was a network. */
  readonly isOld: boolean
  readonly refetch: () => void
  readonly applyAnswer: (sign: QueuedSign, answer: SignAnswer) => void
}

/** The person's rounds, kept on the telephone for where there is no network. */
export function useOwnRounds(): OwnRounds {
  const userId = useSession(s => s.signed?.manager.id ?? 0)
  const storeKey = `patrol.rounds/${userId}`
  const [rounds, setRounds] = useStored(storeKey, noRounds)
  const query = useCall(listOwnRounds, {}, { quiet: true, project: 0, staleMs: 0 })
  const { data } = query
  useEffect(() => {
    if (data) {
      setRounds(data)
    }
  }, [data])
  return {
    rounds,
    isLoading: query.isPending && !rounds.length,
    isOld: query.isError,
    refetch: () => void query.refetch(),
    applyAnswer: (sign, { isKept, stepId, result }) => {
      if (!isKept || stepId === undefined) return
      saveStored(
        storeKey,
        withAnswer(readStored(storeKey, noRounds), stepId, {
          result,
          signTime: fromInstant(sign.deviceMs),
          isAbnormal: sign.abnormal !== undefined,
        }),
      )
      void query.refetch()
    },
  }
}
