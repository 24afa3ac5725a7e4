import { addDays, type Day } from '#kit/domain/day.ts'

/** Money of a closed day is refused; the text names the way out and who may take it (CLO-3). */
export const closedDayRefusal = (day: Day): string =>
  `${day} 已日结，不能再记收退款；请由有「日结·反日结」权限的人先反日结，或改记在未日结的日期`

export interface DayCloseRequest {
  readonly day: Day
  readonly today: Day
  /** Earlier days with money that are not closed, oldest first. */
  readonly openDays: readonly Day[]
  /** The caller knows what becomes of today's later takings. */
  readonly isTodayConfirmed: boolean
  /** Whether takings of a closed today count for tomorrow; otherwise they are refused. */
  readonly goesToNextDay: boolean
}

/** What becomes of money that comes after today has been closed. */
export const afterTodayClosed = (today: Day, goesToNextDay: boolean): string =>
  goesToNextDay
    ? `日结后今天再收的款计入次日 ${addDays(today, 1)}；今天不能再退款、作废`
    : '日结后今天不能再收款、退款、作废，直到有「日结·反日结」权限的人反日结'

const listedDays = 5

/** Why a day cannot be closed now, apart from what is unfinished on it; nothing when it may (CLO-3). */
export function dayCloseRefusal(request: DayCloseRequest): string | undefined {
  const { day, today, openDays } = request
  if (openDays.length) {
    const shown = openDays.slice(0, listedDays).join('、')
    return `请先日结以前的日期：${shown}${openDays.length > listedDays ? ' 等' : ''}`
  }
  if (day === today && !request.isTodayConfirmed)
    return `今天尚未结束。${afterTodayClosed(today, request.goesToNextDay)}。确定要日结今天，请再次确认`
  return undefined
}
