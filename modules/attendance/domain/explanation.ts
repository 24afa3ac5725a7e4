import { weekdayName } from '#kit/domain/day.ts'
import type { Cover, DayFigures } from './day.ts'
import { clockOnDay, minuteOfMidnight, minutesOfDay, type Interval } from './intervals.ts'
import type { DayPlan } from './plan.ts'
import type { PointResult, SegmentResult } from './segment.ts'
import { timesText } from './shift.ts'

/** One reason for a figure of a day. */
export interface ReasonLine {
  readonly label: string
  readonly text: string
}

/** A punch with where it came from. */
export interface ExplainedPunch {
  readonly minute: number
  readonly source: string
}

const holidayTexts = { rest: '法定休息', work: '调休上班', own: '公司假' } as const

function basisText({ basis, holiday, date }: DayPlan): string {
  if (basis === 'schedule') return '个人排班'
  if (basis === 'holiday' && holiday) return `节假日「${holiday.name}」（${holidayTexts[holiday.kind]}）`
  return basis === 'week' ? `周班表（${weekdayName(date)}）` : '当日无班次'
}

function planText(plan: DayPlan): string {
  if (plan.kind === 'rest') return '休息'
  if (plan.kind === 'free') return '自由工时'
  if (plan.kind === 'unscheduled') return '未排班'
  const { shiftName, segments, rests } = plan.shift
  return `${shiftName} ${timesText(segments)}${rests.length ? `，休息 ${timesText(rests)}` : ''}`
}

const resultTexts: Record<PointResult, string> = {
  normal: '正常',
  late: '迟到',
  severeLate: '严重迟到',
  early: '早退',
  absentHalf: '旷工半天',
  missing: '缺卡',
  excused: '无需打卡',
  pending: '尚未到判定时间',
}

function inText(plan: DayPlan, { inPunch, inResult, lateMinutes, movedMinutes }: SegmentResult): string {
  if (inPunch === undefined) return inResult === 'normal' ? '无需打卡' : resultTexts[inResult]
  const clock = clockOnDay(inPunch, plan.date)
  if (movedMinutes) return `${clock}，弹性 ${movedMinutes} 分钟，下班顺延`
  return `${clock}，${resultTexts[inResult]}${lateMinutes ? ` ${lateMinutes} 分钟` : ''}`
}

function outText(plan: DayPlan, { outPunch, outResult, earlyMinutes }: SegmentResult): string {
  if (outPunch === undefined) return outResult === 'normal' ? '无需打卡' : resultTexts[outResult]
  return `${clockOnDay(outPunch, plan.date)}，${resultTexts[outResult]}${earlyMinutes ? ` ${earlyMinutes} 分钟` : ''}`
}

function segmentLines(plan: DayPlan, segments: readonly SegmentResult[]): ReasonLine[] {
  return segments.flatMap((segment, i) => {
    const prefix = segments.length > 1 ? `第 ${i + 1} 段` : ''
    if (segment.isAbsent) return [{ label: `${prefix}打卡`, text: '上下班均无打卡，计旷工' }]
    if (segment.inResult === 'excused' && segment.outResult === 'excused')
      return [{ label: `${prefix}打卡`, text: '全段已由请假或外出覆盖，无需打卡' }]
    return [
      { label: `${prefix}上班`, text: inText(plan, segment) },
      { label: `${prefix}下班`, text: outText(plan, segment) },
    ]
  })
}

const hoursText = (minutes: number): string => `${Math.round((minutes / 60) * 100) / 100} 小时`

const spanText = (plan: DayPlan, { begin, end }: Interval): string =>
  `${clockOnDay(begin, plan.date)}–${clockOnDay(end, plan.date)}`

interface Explained {
  readonly plan: DayPlan
  readonly figures: DayFigures
  readonly punches: readonly ExplainedPunch[]
  readonly covers: readonly (Cover & { readonly label: string })[]
  readonly overtimes: readonly Interval[]
}

/** How a day came to its figures: from its plan, its punches and what was approved, as plain lines. */
export function explainDay({ plan, figures, punches, covers, overtimes }: Explained): ReasonLine[] {
  const midnight = minuteOfMidnight(plan.date)
  const nextMidnight = midnight + minutesOfDay
  // A night lasts into the next morning.
  const dayEnd = Math.max(nextMidnight, figures.segments.at(-1)?.segment.end ?? 0)
  const isCoverOfDay = ({ begin, end }: Interval): boolean => begin < dayEnd && end > midnight
  const isOvertimeOfDay = ({ begin }: Interval): boolean => begin >= midnight && begin < nextMidnight
  const lines: ReasonLine[] = [
    { label: '班次', text: planText(plan) },
    { label: '依据', text: basisText(plan) },
    {
      label: '打卡',
      text: punches.length
        ? punches.map(({ minute, source }) => `${clockOnDay(minute, plan.date)}（${source}）`).join('、')
        : '无',
    },
    ...segmentLines(plan, figures.segments),
    ...covers.filter(isCoverOfDay).map(cover => ({ label: cover.label, text: spanText(plan, cover) })),
    ...overtimes.filter(isOvertimeOfDay).map(overtime => ({ label: '加班', text: spanText(plan, overtime) })),
  ]
  if (figures.dueMinutes) {
    lines.push({
      label: '工时',
      text: `应出勤 ${hoursText(figures.dueMinutes)}，实际 ${hoursText(figures.workMinutes)}`,
    })
  }
  if (figures.leaveMinutes) {
    lines.push({ label: '请假时长', text: hoursText(figures.leaveMinutes) })
  }
  if (figures.absentHalves) {
    lines.push({ label: '旷工', text: figures.absentHalves > 1 ? '1 天' : '半天' })
  }
  if (figures.overtimeMinutes) {
    lines.push({ label: '加班时长', text: hoursText(figures.overtimeMinutes) })
  }
  return lines
}
