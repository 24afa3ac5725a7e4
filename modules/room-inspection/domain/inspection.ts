import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { InspectionCheck } from '../contract/check.ts'
import { inspectionState, type findingResult, type recheckResult } from '../contract/choices.ts'
import type { InspectionFinding } from '../contract/finding.ts'

export type InspectionState = ChoiceOf<typeof inspectionState>
export type InspectionAction = 'start' | 'inspect' | 'recheck' | 'edit'

/** From which states each action may be done (C13). */
const allowedStates: Readonly<Record<InspectionAction, readonly InspectionState[]>> = {
  start: ['waiting'],
  inspect: ['inspecting'],
  recheck: ['rectifying', 'rectified'],
  edit: ['waiting'],
}

const actionLabels: Readonly<Record<InspectionAction, string>> = {
  start: '开始查验',
  inspect: '填写查验结果',
  recheck: '复查',
  edit: '修改或删除',
}

export const canDo = (action: InspectionAction, state: InspectionState): boolean =>
  allowedStates[action].includes(state)

/** Why the state of the sheet forbids the action, and which states allow it. */
export const actionRefusal = (action: InspectionAction, state: InspectionState): string | undefined =>
  canDo(action, state)
    ? undefined
    : `验房单状态为「${labelOf(inspectionState, state)}」，不能${actionLabels[action]}；仅「${allowedStates[
        action
      ]
        .map(s => labelOf(inspectionState, s))
        .join('」「')}」可以`

/** States of a sheet that is not over: its room gets no other. */
export const openStates = ['waiting', 'inspecting', 'rectifying', 'rectified'] as const
/** Until it is judged a sheet is its inspector's; who rechecks it afterwards becomes that. */
export const inspectorBoundStates = ['waiting', 'inspecting'] as const
export const passedStates = ['passed', 'recheckPassed'] as const
/** While a sheet of the room is here with open problems, the room is not delivered. */
export const blockingStates = ['inspecting', 'rectifying', 'rectified'] as const

export interface JudgedItem {
  readonly result?: ChoiceOf<typeof findingResult> | undefined
  readonly recheckResult?: ChoiceOf<typeof recheckResult> | undefined
  readonly fixTime?: string | undefined
}

/** A problem that has not been found put right. */
export const isOpenProblem = (item: JudgedItem): boolean =>
  item.result === 'problem' && item.recheckResult !== 'passed'

type MeterReadings = NonNullable<InspectionCheck['meters']>

/** The last reading of each meter: one that was not read again keeps its own. */
export function mergeReadings(
  before: MeterReadings | undefined,
  read: MeterReadings | undefined,
): MeterReadings | undefined {
  if (!before || !read) return read ?? before
  const merged = new Map([...before, ...read].map(meter => [meter.name, meter]))
  return [...merged.values()]
}

export interface InspectionOutcome {
  readonly state: InspectionState
  readonly problemCount: number
  readonly openCount: number
}

/** What is still to be judged before the inspector may finish. */
export function missingJudgements(items: readonly JudgedItem[], recheckCount: number): string | undefined {
  const unjudged = items.filter(item => item.result === undefined).length
  if (unjudged) return `还有 ${unjudged} 项未查验，请先填写结果`
  const unchecked = items.filter(item => item.result === 'problem' && item.recheckResult === undefined).length
  return recheckCount > 0 && unchecked ? `还有 ${unchecked} 个问题未复查，请先填写复查结果` : undefined
}

/** 30 without problems, 60 once all of them are closed, 40 otherwise (C13). */
export function outcomeOf(items: readonly JudgedItem[], recheckCount: number): InspectionOutcome {
  const problemCount = items.filter(item => item.result === 'problem').length
  const openCount = items.filter(isOpenProblem).length
  const passed = recheckCount > 0 ? 'recheckPassed' : 'passed'
  return { state: openCount ? 'rectifying' : passed, problemCount, openCount }
}

/** All that is open waits for a recheck: the sheet goes from 40 to 50. */
export const isRectified = (items: readonly JudgedItem[]): boolean =>
  items.filter(isOpenProblem).every(item => item.fixTime !== undefined)

type CheckProblem = NonNullable<InspectionCheck['problems']>[number]

/** The problems that were judged at a check: not those that an earlier one found put right. */
export function checkProblemsOf(
  findings: readonly InspectionFinding[],
  earlier: readonly Pick<CheckProblem, 'findingId' | 'recheckResult'>[],
): CheckProblem[] {
  const settled = new Set(earlier.filter(each => each.recheckResult === 'passed').map(each => each.findingId))
  return findings
    .filter(({ id, result }) => result === 'problem' && !settled.has(id))
    .map(
      ({
        id,
        part,
        itemName,
        problem,
        photos,
        workOrderId,
        workOrderNo,
        fixTime,
        recheckResult: recheck,
      }) => ({
        findingId: id,
        part,
        itemName,
        problem,
        photos,
        workOrderId,
        workOrderNo,
        fixTime,
        recheckResult: recheck,
      }),
    )
}

/** The problems of a check with the times at which their orders mended them since. */
export function withFixTimes(
  problems: readonly CheckProblem[],
  findings: readonly Pick<InspectionFinding, 'id' | 'fixTime'>[],
): CheckProblem[] {
  const fixTimes = new Map(findings.map(({ id, fixTime }) => [id, fixTime]))
  return problems.map(problem => ({
    ...problem,
    fixTime: problem.fixTime ?? fixTimes.get(problem.findingId),
  }))
}
