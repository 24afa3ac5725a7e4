import type { ClockTime } from './occurrences.ts'

interface TimedStep {
  readonly name: string
  readonly offsetMinutes: number
  readonly tolerance?: number | undefined
}

const dayMinutes = 24 * 60

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

const clockAt = (minutes: number): string => {
  const ofDay = minutes % dayMinutes
  const text = [Math.floor(ofDay / 60), ofDay % 60].map(part => String(part).padStart(2, '0')).join(':')
  return minutes >= dayMinutes ? `次日 ${text}` : text
}

/**
 * The step that is due when nothing can be signed any more (PAT-4), in words: a road that is longer than its
 * time is missed every day.
 */
export function unreachableText(
  times: readonly ClockTime[],
  lateEndMinutes: number,
  steps: readonly TimedStep[],
): string | undefined {
  const timed = steps.filter(({ tolerance }) => tolerance !== undefined)
  const last = timed.toSorted((a, b) => b.offsetMinutes - a.offsetMinutes)[0]
  if (!last) return undefined
  for (const { begin, end } of times) {
    const from = minutesOf(begin)
    const until = minutesOf(end) + (end > begin ? 0 : dayMinutes)
    const due = from + last.offsetMinutes
    if (due > until + lateEndMinutes) {
      const late = lateEndMinutes ? `、签到截止 ${clockAt(until + lateEndMinutes)}` : ''
      return `「${last.name}」${clockAt(due)} 应到，时段 ${clockAt(until)} 结束${late}，请延后结束时间或缩短路线`
    }
  }
  return undefined
}
