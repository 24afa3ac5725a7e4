import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { today } from '#kit/web/date-format.ts'
import { useCall } from '#kit/web/query.ts'
import { getEffectiveDateLimit } from '../contract/effective-date.ts'
import { earlyEffectiveDateFault, lateEffectiveDateFault } from '../domain/effective-date.ts'

interface EffectiveDateLimit {
  /** The range of days, as text. */
  readonly help: string
  /** Why a change may not hold from this day on (C27-7). */
  readonly faultOf: (day: Day | undefined) => string | undefined
}

/** The days from which a change of rooms may hold; one room of each project says it. */
export function useEffectiveDateLimit(roomIds: readonly Id[]): EffectiveDateLimit {
  const limit = useCall(getEffectiveDateLimit, { ids: roomIds.map(String) }, { quiet: true, staleMs: 0 }).data
  return {
    help: limit ? `可填 ${limit.day} 至今天（${limit.cause}）` : '不能晚于今天',
    faultOf: day => {
      if (!day) return '请填写生效日期'
      return lateEffectiveDateFault(day, today()) ?? (limit && earlyEffectiveDateFault(day, limit))
    },
  }
}
