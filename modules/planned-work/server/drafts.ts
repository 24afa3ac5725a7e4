import type { Id } from '#kit/domain/id.ts'
import type { Day } from '#kit/domain/day.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { occurrencesOf, type Occurrence } from '../domain/occurrences.ts'
import { assign, type Absence } from '../domain/people.ts'
import type { StepDraft } from './kinds.ts'
import { idsOf, type PlannedWork, type WorkContext } from './work-context.ts'

/** A task as a plan asks for it; one without a person says why. */
export interface TaskDraft {
  readonly day: Day
  readonly begin: Moment
  readonly end: Moment
  readonly close: Moment
  readonly remind: Moment | undefined
  readonly targetId: Id
  readonly targetName: string | undefined
  readonly slot: Id
  readonly staffId: Id | undefined
  readonly candidateIds: readonly Id[] | undefined
  readonly nobodyReason: string | undefined
  /** Those who were passed over, also where somebody else does it. */
  readonly absences: readonly Absence[]
  readonly inOrder: boolean
  /** The occurrence, counted from the first of the plan. */
  readonly turn: number
  readonly steps: readonly StepDraft[]
}

const reasonText = (absences: readonly Absence[], nameOf: WorkContext['nameOf']): string =>
  absences.length
    ? absences
        .map(({ staffId, reason }) => `${nameOf(staffId)}${reason}`)
        .join('、')
        .slice(0, 500)
    : '未指定人员'

interface DraftTarget {
  readonly id: Id
  readonly name?: string
}

/** The objects of a plan that are there; a plan without any has one task without an object. */
function targetsOf(plan: PlannedWork, context: WorkContext): readonly DraftTarget[] {
  const ids = idsOf(plan.targetIds)
  if (!ids.length) return [{ id: 0 }]
  return ids.flatMap(id => context.targetOf(plan, id) ?? [])
}

/** The tasks of one plan from one day to another (PAT-2, PAT-3). */
export function draftTasks(plan: PlannedWork, context: WorkContext, from: Day, to: Day): TaskDraft[] {
  const subject = context.subjectOf(plan)
  if (!subject) return []
  const targets = targetsOf(plan, context).map(target => ({
    ...target,
    steps: subject.stepsOf?.(target.id) ?? subject.steps,
  }))
  const staffIds = idsOf(plan.staffIds)
  const draftsOf = ({ day, begin, end, turn }: Occurrence): TaskDraft[] => {
    const { tasks, absences, isNobody } = assign(plan.staffMode, staffIds, turn, staffId =>
      context.absenceOf(staffId, begin, end),
    )
    const close = addMinutes(end, plan.lateEndMinutes)
    const remind = plan.remindMinutes && !isNobody ? addMinutes(begin, -plan.remindMinutes) : undefined
    const nobodyReason = isNobody ? reasonText(absences, context.nameOf) : undefined
    return targets.flatMap(({ id, name, steps }) =>
      steps.length
        ? tasks.map(({ slot, staffId, candidateIds }) => ({
            day,
            begin,
            end,
            close,
            remind,
            targetId: id,
            targetName: name,
            slot,
            staffId,
            candidateIds,
            nobodyReason,
            absences,
            inOrder: subject.inOrder ?? false,
            turn,
            steps,
          }))
        : [],
    )
  }
  return occurrencesOf(plan, from, to, context.calendar).flatMap(draftsOf)
}
