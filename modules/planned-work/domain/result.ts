import { div, decimalOf, type Decimal } from '#kit/domain/decimal.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { formatPercent } from '#kit/domain/percent.ts'
import type { StepResult, StepVerdict, TaskState } from '../contract/choices.ts'

export interface JudgedStep {
  readonly sort: number
  readonly dueTime: Moment
  /** Without one the step is due from the begin of the task to its end. */
  readonly tolerance?: number | undefined
  readonly signTime?: Moment | undefined
}

export interface JudgedTask {
  readonly beginTime: Moment
  readonly endTime: Moment
  readonly inOrder: boolean
}

/** PAT-4: within the tolerance normal, before it early, after it late; the bounds belong to it. */
export function timingOf(step: JudgedStep, task: JudgedTask, at: Moment): 'normal' | 'early' | 'late' {
  const from = step.tolerance === undefined ? task.beginTime : addMinutes(step.dueTime, -step.tolerance)
  const to = step.tolerance === undefined ? task.endTime : addMinutes(step.dueTime, step.tolerance)
  if (at < from) return 'early'
  return at > to ? 'late' : 'normal'
}

/** PAT-5: whether an earlier step was not signed yet at that time; the earlier may still be signed later. */
const isOutOfOrder = (step: JudgedStep, steps: readonly JudgedStep[], at: Moment): boolean =>
  steps.some(other => other.sort < step.sort && (other.signTime === undefined || other.signTime > at))

/**
 * The result of each step: what is not signed has none while the task is open, and is missed after (PAT-4).
 */
export function judgeSteps<S extends JudgedStep>(
  steps: readonly S[],
  task: JudgedTask,
  isClosed: boolean,
): ReadonlyMap<S, StepResult | undefined> {
  return new Map(
    steps.map(step => {
      const { signTime } = step
      if (signTime === undefined) return [step, isClosed ? 'missed' : undefined]
      if (task.inOrder && isOutOfOrder(step, steps, signTime)) return [step, 'disorder']
      return [step, timingOf(step, task, signTime)]
    }),
  )
}

/** PAT-7: all signed 30, some missed 40, none signed 50. */
export function stateOf(results: readonly (StepResult | undefined)[], isClosed: boolean): TaskState {
  const signed = results.filter(result => result !== undefined && result !== 'missed').length
  if (signed === results.length && signed > 0) return 'done'
  if (!isClosed) return signed ? 'running' : 'waiting'
  return signed ? 'partial' : 'missed'
}

export interface ScoredStep {
  readonly weight: number
  readonly isScored: boolean
  readonly verdict?: StepVerdict | undefined
}

/** Σ passed weight ÷ Σ weight × 100, two decimals; what does not apply is in neither (C13). */
export function scoreOf(steps: readonly ScoredStep[]): Decimal | undefined {
  const counted = steps.filter(({ isScored, verdict }) => isScored && verdict !== 'notApplicable')
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  if (!whole) return undefined
  const passed = counted.reduce((sum, { weight, verdict }) => sum + (verdict === 'passed' ? weight : 0), 0)
  return div(decimalOf(passed * 100), decimalOf(whole), 2)
}

/** Whether a measured value lies outside its bounds. */
export function isOutOfRange(
  value: string | undefined,
  { minValue, maxValue }: { readonly minValue?: string | undefined; readonly maxValue?: string | undefined },
): boolean {
  if (value === undefined) return false
  const n = Number(value)
  return (minValue !== undefined && n < Number(minValue)) || (maxValue !== undefined && n > Number(maxValue))
}

export interface RateCounts {
  readonly due: number
  readonly normal: number
  readonly early: number
  readonly late: number
  readonly disorder: number
  readonly missed: number
}

const percentOf = (part: number, whole: number): string => formatPercent(part, whole) ?? '--'

/** PAT-9; nothing due: `--` (STAT-13). */
export const ratesOf = ({ due, normal, early, late, disorder, missed }: RateCounts) => ({
  signedRate: percentOf(normal + early + late + disorder, due),
  punctualRate: percentOf(normal, due),
  missedRate: percentOf(missed, due),
})
