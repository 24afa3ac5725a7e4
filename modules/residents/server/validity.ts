import type { Day } from '#kit/domain/day.ts'
import type { FieldFault } from '#kit/contract/wire.ts'

interface Validity {
  readonly beginDate?: Day | undefined
  readonly endDate?: Day | undefined
}

/** The last day counts. */
export const isOver = ({ endDate }: Pick<Validity, 'endDate'>, today: Day): boolean =>
  endDate !== undefined && endDate < today

/** Whether an end is named that is past by now; one that is not changed is known to be over. */
export const endsInPast = (
  validity: Pick<Validity, 'endDate'>,
  today: Day,
  before: Pick<Validity, 'endDate'> | undefined,
): boolean => isOver(validity, today) && validity.endDate !== before?.endDate

/** Of whatever opens something from one day to another: cards, faces, doors and floors of single people. */
export function validityFaults(
  validity: Validity,
  today: Day,
  before: Pick<Validity, 'endDate'> | undefined,
): FieldFault[] {
  const { beginDate, endDate } = validity
  if (beginDate && endDate && endDate < beginDate)
    return [{ Field: 'EndDate', Message: '失效日期不能早于生效日期' }]
  return endsInPast(validity, today, before)
    ? [{ Field: 'EndDate', Message: '失效日期已过，请填写今天或以后的日期' }]
    : []
}
