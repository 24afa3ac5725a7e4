import { addDays } from '#kit/domain/day.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'

/** `maxDays`: how many days back a payment may be dated; `isAllowed`: whether this person may at all. */
export interface BackDateRules {
  readonly maxDays: number
  readonly isAllowed: boolean
}

const isBackDated = (requested: Moment, now: Moment): boolean => dayOfMoment(requested) !== dayOfMoment(now)

/** PAY-9: why a payment may not be dated so; undefined when it may. Any time of today is allowed. */
export function payMomentRefusal(
  requested: Moment | undefined,
  now: Moment,
  rules: BackDateRules,
): string | undefined {
  if (requested === undefined || !isBackDated(requested, now)) return undefined
  if (requested > now) return '缴费时间不能晚于现在'
  if (!rules.isAllowed) return '补录以前的收款需要「收银台·补录日期」权限'
  const firstDay = addDays(dayOfMoment(now), -rules.maxDays)
  return dayOfMoment(requested) < firstDay
    ? `最多补录 ${rules.maxDays} 天内的收款，请填写 ${firstDay} 或之后的日期`
    : undefined
}

/** When a payment counts: as requested, but never later than now. */
export const payMomentOf = (requested: Moment | undefined, now: Moment): Moment =>
  requested !== undefined && requested <= now ? requested : now
