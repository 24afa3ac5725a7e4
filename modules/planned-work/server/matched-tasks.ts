import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { withAssignee, type ExistingTask } from './existing-tasks.ts'
import { taskKey, type PlannedTask } from './task-writes.ts'

/** A draft, and the task that does it already. */
interface AskedTask {
  readonly draft: PlannedTask
  readonly task: ExistingTask | undefined
}

/** The day and object of a task: its times may have been moved. */
const dayKeyOf = (planId: Id, day: string, targetId: Id): string => taskKey(planId, day, '', targetId, 0)

const occasionKey = (planId: Id, day: string, begin: Moment, targetId: Id): string =>
  taskKey(planId, day, begin, targetId, 0)

const keyOfDraftDay = ({ plan, day, targetId }: PlannedTask): string => dayKeyOf(plan.id, day, targetId)
const keyOfTaskDay = ({ planId, day, targetId }: ExistingTask): string => dayKeyOf(planId, day, targetId)

const distinct = (begins: readonly Moment[]): Moment[] => [...new Set(begins)].toSorted()

/**
 * The new begins of times of a day that were moved, by the old ones: between times that stayed there are as
 * many as before, so that each is known by its place.
 */
function movedBegins(tasks: readonly ExistingTask[], drafts: readonly PlannedTask[]): Map<Moment, Moment> {
  const before = new Set(tasks.map(({ begin }) => begin))
  const after = new Set(drafts.map(({ begin }) => begin))
  const stayed = [...before].filter(begin => after.has(begin))
  const gapOf = (begin: Moment): number => stayed.filter(other => other < begin).length
  const left = tasks.filter(({ begin, isOpen }) => isOpen && !after.has(begin)).map(({ begin }) => begin)
  const come = drafts.filter(({ begin }) => !before.has(begin)).map(({ begin }) => begin)
  const comeByGap = Map.groupBy(distinct(come), gapOf)
  const moved = new Map<Moment, Moment>()
  for (const [gap, begins] of Map.groupBy(distinct(left), gapOf)) {
    const next = comeByGap.get(gap) ?? []
    if (next.length !== begins.length) continue
    begins.forEach((begin, i) => moved.set(begin, next[i] ?? begin))
  }
  return moved
}

/** Those given by hand keep their place in the day when its times are moved. */
function occasionsOfTasks(tasks: readonly ExistingTask[], drafts: readonly PlannedTask[]) {
  const draftsByDay = Map.groupBy(drafts, keyOfDraftDay)
  const beginsByDay = new Map(
    [...Map.groupBy(tasks, keyOfTaskDay)].map(
      ([key, ofDay]) => [key, movedBegins(ofDay, draftsByDay.get(key) ?? [])] as const,
    ),
  )
  return Map.groupBy(tasks, task => {
    const moved = task.isAssigned ? beginsByDay.get(keyOfTaskDay(task))?.get(task.begin) : undefined
    return occasionKey(task.planId, task.day, moved ?? task.begin, task.targetId)
  })
}

/** Whose person does it, whatever the plan says: given by hand, or started. */
const isHeldByPerson = ({ isAssigned, isOpen, isStarted }: ExistingTask): boolean =>
  isStarted || (isAssigned && isOpen)

/** The person whose turn it is: of one task for all it is theirs that somebody else was given. */
function findReplaced(drafts: readonly PlannedTask[]): PlannedTask | undefined {
  const [first] = drafts
  if (!first) return undefined
  const { staffIds } = first.plan
  const next = staffIds[first.turn % Math.max(1, staffIds.length)]
  return drafts.find(({ staffId }) => String(staffId) === next) ?? first
}

/** Where everybody has a task of their own: nobody has two, and who stands in for another does it alone. */
function matchEveryone(drafts: readonly PlannedTask[], tasks: readonly ExistingTask[]): AskedTask[] {
  const bySlot = new Map(tasks.map(task => [task.slot, task]))
  const slots = new Set(drafts.map(({ slot }) => slot))
  const holders = tasks.filter(isHeldByPerson)
  const busy = new Set(holders.map(({ staffId }) => staffId))
  const isFree = (draft: PlannedTask): boolean => {
    const task = bySlot.get(draft.slot)
    return task && isHeldByPerson(task) ? true : draft.staffId === undefined || !busy.has(draft.staffId)
  }
  const asked = drafts.filter(isFree)
  const beside = holders.filter(({ slot }) => !slots.has(slot))
  for (const { slot, staffId } of beside) {
    const open = asked.filter(draft => !bySlot.has(draft.slot))
    const own = drafts.some(draft => draft.staffId === staffId)
    const replaced = slot === 0 && !own ? findReplaced(open) : open.find(draft => draft.slot === 0)
    if (replaced) {
      asked.splice(asked.indexOf(replaced), 1)
    }
  }
  return withHolders(asked, bySlot, drafts, beside)
}

/** One task for all: who has it has it alone. */
function matchOne(drafts: readonly PlannedTask[], tasks: readonly ExistingTask[]): AskedTask[] {
  const bySlot = new Map(tasks.map(task => [task.slot, task]))
  const slots = new Set(drafts.map(({ slot }) => slot))
  const beside = tasks.filter(task => isHeldByPerson(task) && !slots.has(task.slot))
  const isHeld = ({ slot }: PlannedTask): boolean => {
    const task = bySlot.get(slot)
    return task !== undefined && isHeldByPerson(task)
  }
  return withHolders(beside.length ? drafts.filter(isHeld) : drafts, bySlot, drafts, beside)
}

const withHolders = (
  asked: readonly PlannedTask[],
  bySlot: ReadonlyMap<Id, ExistingTask>,
  drafts: readonly PlannedTask[],
  beside: readonly ExistingTask[],
): AskedTask[] => [
  ...asked.map(draft => ({ draft, task: bySlot.get(draft.slot) })),
  ...beside.flatMap(task =>
    drafts.slice(0, 1).map(draft => ({ draft: { ...draft, slot: task.slot }, task })),
  ),
]

/** Tasks of a stopped plan are matched only where there are no others. */
function withoutHidden(tasks: readonly ExistingTask[]): readonly ExistingTask[] {
  const shown = tasks.filter(({ isHidden }) => !isHidden)
  return shown.length ? shown : tasks
}

/**
 * What plans ask for beside what is there, occasion by occasion (plan, day, begin, object): a task that was
 * given by hand or is started takes its occasion, whatever the plan says of people by now (PAT-3, PAT-7).
 */
export function matchTasks(drafts: readonly PlannedTask[], tasks: readonly ExistingTask[]): AskedTask[] {
  const byOccasion = occasionsOfTasks(tasks, drafts)
  const draftsByOccasion = Map.groupBy(drafts, ({ plan, day, begin, targetId }) =>
    occasionKey(plan.id, day, begin, targetId),
  )
  return [...draftsByOccasion].flatMap(([key, ofOccasion]) => {
    const present = withoutHidden(byOccasion.get(key) ?? [])
    const isForAll = ofOccasion[0]?.plan.staffMode === 'everyone'
    const asked = isForAll ? matchEveryone(ofOccasion, present) : matchOne(ofOccasion, present)
    return asked.map(({ draft, task }) => ({ draft: task ? withAssignee(draft, task) : draft, task }))
  })
}
