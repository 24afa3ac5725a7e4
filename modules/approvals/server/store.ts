import type { Fields, Moment } from '#kit/contract/field.ts'
import { invalidField, invalidInput, notFound } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { addMinutes } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, insertAll, requireById, update } from '#kit/server/table.ts'
import { instanceState, taskState } from '../contract/choices.ts'
import { processInstance, processTask, type ProcessInstance, type ProcessTask } from '../contract/instance.ts'
import type { ProcessEdition } from '../contract/process.ts'
import { decodeForm, type FormValues } from '../domain/form.ts'
import { nameOfAccount, type People } from '../domain/people.ts'
import { isWaiting, type Run, type RunTask } from '../domain/run.ts'

/** The members of a form's text, as they are on the wire. */
export const parseForm = (text: string): FormValues => {
  const form: unknown = JSON.parse(text)
  if (typeof form !== 'object' || form === null || Array.isArray(form)) throw new Error('a form is no object')
  return Object.fromEntries(Object.entries(form))
}

/** A stored form; it was checked when it came in, and what no field knows any more is left out. */
export const formOf = (fields: Fields, { form }: Pick<ProcessInstance, 'form'>): FormValues =>
  decodeForm(fields, parseForm(form)).values

function parseSentForm(text: string): FormValues {
  try {
    return parseForm(text)
  } catch {
    throw invalidField('FormJson', '表单应为 JSON 对象，如 {"amount": "1500.00"}')
  }
}

/** A form from outside: what cannot be read is refused at its field, all together. */
export function readForm(fields: Fields, text: string): FormValues {
  const { values, faults } = decodeForm(fields, parseSentForm(text))
  if (faults.length) throw invalidInput([...faults])
  return values
}

export const tasksOf = (db: Db, scope: Scope, instanceId: Id): Promise<ProcessTask[]> =>
  findAll(db, processTask, scope, {}, { where: [sql`t.instance_id = ${instanceId}`] })

export const runOf = (instance: ProcessInstance, tasks: readonly ProcessTask[]): Run => ({
  state: instance.state,
  round: instance.round,
  visit: instance.visit,
  nodeKey: instance.nodeKey,
  isReturned: instance.isReturned,
  queue: (instance.queue ?? []).map(parseId),
  tasks,
})

/** The request, locked: who waited for the lock sees what the other has made of it. */
export async function lockInstance(
  tx: Tx,
  scope: Scope,
  id: Id,
): Promise<{ readonly instance: ProcessInstance; readonly run: Run }> {
  const locked = await tx.one(sql`
    select 1 as found
    from process_instance
    where owner_id = ${scope.ownerId} and id = ${id} and delete_tag = 0
    for update
  `)
  if (!locked) throw notFound()
  const instance = await requireById(tx, processInstance, scope, id)
  return { instance, run: runOf(instance, await tasksOf(tx, scope, id)) }
}

export interface DecisionFiles {
  readonly attachments?: readonly string[] | undefined
  readonly signature?: string | undefined
}

interface RunChange {
  readonly instance: ProcessInstance
  readonly before: Run
  readonly after: Run
  readonly edition: ProcessEdition
  readonly people: People
  readonly now: Moment
  /** What the person who decides left with the decision. */
  readonly files?: DecisionFiles
  readonly reason?: string | undefined
}

const dueTimeOf = (edition: ProcessEdition, nodeKey: string, now: Moment): Moment | undefined => {
  const hours = edition.nodes.find(node => node.key === nodeKey)?.timeoutHours ?? edition.timeoutHours
  return hours === undefined ? undefined : addMinutes(now, hours * 60)
}

async function saveTasks(tx: Tx, scope: Scope, change: RunChange): Promise<void> {
  const { before, after, people, edition, now, instance } = change
  const stored = new Map(before.tasks.map(task => [task.id, task]))
  for (const task of after.tasks) {
    if (task.id === undefined || stored.get(task.id) === task) continue
    const files = task.approverId === scope.operatorId && task.state !== 'skipped' ? change.files : undefined
    await update(
      tx,
      processTask,
      scope,
      task.id,
      { state: task.state, opinion: task.opinion, handleTime: now, ...files },
      { where: sql`t.state = ${code(taskState, 'waiting')}`, reason: change.reason },
    )
  }
  const added = after.tasks.filter(task => task.id === undefined)
  await insertAll(
    tx,
    processTask,
    scope,
    added.map(task => ({
      ...newTask(task, people),
      instanceId: instance.id,
      startTime: now,
      ...(isWaiting(task) ? { dueTime: dueTimeOf(edition, task.nodeKey, now) } : { handleTime: now }),
    })),
  )
}

const newTask = ({ id: _, ...task }: RunTask, people: People) => ({
  ...task,
  approverName: nameOfAccount(people, task.approverId),
  principalName: nameOfAccount(people, task.principalId),
})

/** The words of a refusal are at the task of who refused. */
const endReasonOf = ({ after, reason }: RunChange): { endReason?: string } =>
  reason && (after.state === 'withdrawn' || after.state === 'terminated')
    ? { endReason: reason.slice(0, 200) }
    : {}

/** Writes what a step has changed; returns the request as it is then. */
export async function saveRun(tx: Tx, scope: Scope, change: RunChange): Promise<ProcessInstance> {
  const { instance, after, edition, now } = change
  await saveTasks(tx, scope, change)
  return update(
    tx,
    processInstance,
    scope,
    instance.id,
    {
      state: after.state,
      round: after.round,
      visit: after.visit,
      nodeKey: after.nodeKey,
      currentNode: after.isReturned
        ? '申请人修改'
        : edition.nodes.find(node => node.key === after.nodeKey)?.name,
      isReturned: after.isReturned,
      queue: after.queue.length ? after.queue.map(String) : undefined,
      ...(after.state === 'running' ? {} : { finishTime: now }),
      ...endReasonOf(change),
    },
    { where: sql`t.state = ${code(instanceState, 'running')}`, reason: change.reason },
  )
}
