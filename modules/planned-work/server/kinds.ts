import type { Id } from '#kit/domain/id.ts'
import type { Permission } from '#kit/contract/call.ts'
import type { ValueOf } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { ReadContext, WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import {
  planState,
  targetType,
  taskState,
  workKind,
  type ExtraReason,
  type TargetType,
  type WorkKind,
} from '../contract/choices.ts'
import type { WorkPlan } from '../contract/plan.ts'
import type { signFields, stepNeedFields, WorkStep, WorkTask } from '../contract/task.ts'

export type StepNeeds = ValueOf<typeof stepNeedFields>
export type SignInput = ValueOf<typeof signFields>

/** One step of a task, as its kind drafts it. */
export interface StepDraft {
  /** The point; 0 for an item of a standard. */
  readonly subjectId: Id
  readonly name: string
  /**
   * After the begin of the task; with a tolerance the step is due then (PAT-4), else until the task's end.
   */
  readonly offsetMinutes: number
  readonly tolerance?: number | undefined
  readonly weight?: number | undefined
  readonly needs?: StepNeeds | undefined
}

/** What tasks of a plan are made from. */
export interface WorkSubject {
  readonly name: string
  /** PAT-5 */
  readonly inOrder?: boolean
  readonly steps: readonly StepDraft[]
  /** The steps of one object, where they differ from the subject's. */
  readonly stepsOf?: (targetId: Id) => readonly StepDraft[]
}

/** What tells which subjects are loaded. */
export type SubjectKey = Pick<WorkPlan, 'projectCode' | 'subjectId' | 'targetType' | 'targetIds'>

/** Which step a sign is of, or why it counts for none; the message is for the person who signs. */
export type SignMatch = { readonly stepId: Id } | { readonly reason: ExtraReason; readonly message?: string }

export type SignMatcher = (sign: SignInput, task: WorkTask, steps: readonly WorkStep[]) => SignMatch

/** What somebody reported of a step: one or more checks failed, or words about it. */
export interface Finding {
  readonly task: WorkTask
  readonly step: WorkStep
  /** The failed checks whose setting asks for an order, or the words that were reported. */
  readonly texts: readonly string[]
}

/** What a module does for the plans of its kind. */
export interface WorkKindRules {
  /** Who does the tasks, for messages and links. */
  readonly needs: Permission
  /** Who sees plans and tasks of the kind, in the calendar and the figures of all kinds too. */
  readonly viewNeeds: Permission
  /** Who gives tasks of the kind to others (PAT-7). */
  readonly arrangeNeeds: Permission
  /** The screen of one task (`?id=`), for those who see the kind. */
  readonly taskPath: string
  /** What is shown of a task: the path of a screen with its query. */
  readonly link: (task: Pick<WorkTask, 'id'>) => string
  /** Subjects by their id, in one query; one that is not there, or off, is absent and gets no tasks. */
  readonly loadSubjects: (
    db: Db,
    scope: Pick<Scope, 'ownerId'>,
    keys: readonly SubjectKey[],
  ) => Promise<ReadonlyMap<Id, WorkSubject>>
  /** The kind of objects where the plan does not say it. */
  readonly targetType?: TargetType
  /** What else is wrong with a plan of the kind. */
  readonly check?: (
    draft: Partial<WorkPlan>,
    c: Pick<ReadContext, 'db' | 'scope'>,
  ) => Promise<readonly FieldFault[]>
  /** Without it a sign names its step (`stepId`) and needs no code. */
  readonly loadMatcher?: (
    db: Db,
    scope: Pick<Scope, 'ownerId'>,
    steps: readonly WorkStep[],
  ) => Promise<SignMatcher>
  /** PAT-8: makes the work order of a finding; returns its id, or nothing where the setting asks for none. */
  readonly onFinding?: (c: WriteContext, finding: Finding) => Promise<Id | undefined>
}

const kinds = new Map<WorkKind, WorkKindRules>()

/** A module that owns a kind of planned work says here, while it is loaded, what its plans consist of. */
export function registerWorkKind(kind: WorkKind, rules: WorkKindRules): void {
  if (kinds.has(kind)) throw new Error(`two modules own the work kind ${kind}`)
  kinds.set(kind, rules)
}

export const findWorkKind = (kind: WorkKind): WorkKindRules | undefined => kinds.get(kind)

export function requireWorkKind(kind: WorkKind): WorkKindRules {
  const rules = kinds.get(kind)
  if (!rules) throw new Error(`no module owns the work kind ${kind}`)
  return rules
}

export const registeredKinds = (): readonly WorkKind[] => [...kinds.keys()]

export interface WorkTarget {
  readonly id: Id
  readonly name: string
  readonly projectCode: string
}

/** Objects by id, or those of a project by keyword; for a caller, only what its data domain has. */
export type TargetCondition =
  | { readonly ids: readonly Id[]; readonly caller?: Scope }
  | { readonly projectCode: string; readonly keyword?: string | undefined; readonly caller: Scope }

/** Objects of a sort: which there are, with the names that tasks keep. */
export interface WorkTargetRules {
  readonly entity: string
  readonly label: string
  /** Those of the ids that are there and in use; or those of a caller's project by keyword, the first 200. */
  readonly load: (
    db: Db,
    scope: Pick<Scope, 'ownerId'>,
    condition: TargetCondition,
  ) => Promise<readonly WorkTarget[]>
}

const targets = new Map<TargetType, WorkTargetRules>()

/** Plans that are about objects of the sort. */
function isOfType(type: TargetType): Condition {
  const ofKind = [...kinds].flatMap(([kind, rules]) =>
    rules.targetType === type ? [sql`(target_type is null and kind = ${code(workKind, kind)})`] : [],
  )
  const conditions = [sql`target_type = ${code(targetType, type)}`, ...ofKind]
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** Objects that enabled plans are about: they are not switched off. */
export async function findPlannedTargets(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  type: TargetType,
  ids: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (!ids.length) return new Set()
  const rows = await db.rows<{ id: Id }>(sql`
    select distinct target::bigint as id
    from work_plan, unnest(target_ids) as target
    where owner_id = ${ownerId}
      and state = ${code(planState, 'enabled')}
      and ${isOfType(type)}
      and target = any(${ids.map(String)}::text[])
      and delete_tag = 0
  `)
  return new Set(rows.map(({ id }) => id))
}

/** BASE-5: what an enabled plan or an open task is about stays. */
function registerUse(type: TargetType, entity: string): void {
  registerDependentRows(
    entity,
    {
      label: '启用的计划',
      table: 'work_plan',
      names: 'plan_name',
      keepsInUse: sql`true`,
      where: ({ id }: { readonly id: Id }) =>
        sql`state = ${code(planState, 'enabled')} and ${isOfType(type)} and ${String(id)} = any(target_ids)`,
    },
    {
      label: '未结束的任务',
      table: 'work_task',
      where: ({ id }: { readonly id: Id }, { ownerId }) => sql`
        target_id = ${id}
        and state in (${code(taskState, 'waiting')}, ${code(taskState, 'running')})
        and plan_id in (select id from work_plan where owner_id = ${ownerId} and ${isOfType(type)})`,
    },
  )
}

export function registerWorkTargets(type: TargetType, rules: WorkTargetRules): void {
  if (targets.has(type)) throw new Error(`two modules own the work targets ${type}`)
  targets.set(type, rules)
  registerUse(type, rules.entity)
}

export const findTargetRules = (type: TargetType): WorkTargetRules | undefined => targets.get(type)

export type Condition = RawBuilder<unknown>
