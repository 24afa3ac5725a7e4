import { sql, type Db } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { approvalKind, instanceState, taskState } from '../contract/choices.ts'
import { processInstance, processTask, type ProcessInstance, type ProcessTask } from '../contract/instance.ts'
import type { ApprovalKind } from '../contract/kind.ts'
import { everywhere } from './requests.ts'

/** The last approval of a record with its tasks, for the detail of the module that the record belongs to. */
export async function findApproval(
  db: Db,
  scope: Scope,
  kind: Pick<ApprovalKind, 'key'>,
  bizId: Id,
): Promise<{ readonly instance: ProcessInstance; readonly tasks: readonly ProcessTask[] } | undefined> {
  const all = everywhere(scope)
  const [instance] = await findAll(
    db,
    processInstance,
    all,
    {},
    { where: [sql`t.biz_type = ${code(approvalKind, kind.key)}`, sql`t.biz_id = ${bizId}`] },
  )
  if (!instance) return undefined
  const tasks = await findAll(db, processTask, all, {}, { where: [sql`t.instance_id = ${instance.id}`] })
  return { instance, tasks }
}

/** Of some requests those that came back to their applicant, with the words of who returned them. */
export async function findReturns(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  instanceIds: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  if (!instanceIds.length) return new Map()
  const rows = await db.rows<{ id: Id; opinion?: string }>(sql`
    select i.id, t.opinion
    from process_instance i
    left join lateral (
      select opinion
      from process_task
      where owner_id = ${ownerId} and instance_id = i.id and state = ${code(taskState, 'refused')}
      order by handle_time desc, id desc
      limit 1
    ) t on true
    where i.owner_id = ${ownerId}
      and i.id = any(${instanceIds}::bigint[])
      and i.state = ${code(instanceState, 'running')}
      and i.is_returned
  `)
  return new Map(rows.map(({ id, opinion = '' }) => [id, opinion]))
}

/** Of some requests those that the caller has made: no other changes one that came back (APR-4). */
export async function findRequestedByCaller(
  db: Db,
  { ownerId, operatorId }: Pick<Scope, 'ownerId' | 'operatorId'>,
  instanceIds: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (!instanceIds.length) return new Set()
  const rows = await db.rows<{ id: Id }>(sql`
    select i.id
    from process_instance i
    where i.owner_id = ${ownerId}
      and i.id = any(${[...instanceIds]}::bigint[])
      and i.applicant_id = ${operatorId}
      and ${notDeleted('i')}
  `)
  return new Set(rows.map(({ id }) => id))
}

/** The records whose running approval nobody has decided on: the applicant may take it back (APR-4). */
export async function findUndecided(
  db: Db,
  { ownerId }: Scope,
  kind: Pick<ApprovalKind, 'key'>,
  bizIds: readonly Id[],
): Promise<ReadonlySet<Id>> {
  if (!bizIds.length) return new Set()
  const rows = await db.rows<{ bizId: Id }>(sql`
    select i.biz_id
    from process_instance i
    where i.owner_id = ${ownerId}
      and i.biz_type = ${code(approvalKind, kind.key)}
      and i.biz_id = any(${[...bizIds]}::bigint[])
      and i.state = ${code(instanceState, 'running')}
      and not i.is_returned
      and ${notDeleted('i')}
      and not exists (
        select 1
        from process_task t
        where t.owner_id = ${ownerId}
          and t.instance_id = i.id
          and (
            t.state = ${code(taskState, 'refused')}
            or (t.state = ${code(taskState, 'approved')} and t.visit < i.visit)
          )
      )
  `)
  return new Set(rows.map(row => row.bizId))
}
