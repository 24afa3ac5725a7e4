import { notFound } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { registerFileAccess } from '#kit/server/file-access.ts'
import { hasPermission, type Caller, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { approvalKind, type ApprovalKindKey } from '../contract/choices.ts'
import { processInstance, type ProcessInstance } from '../contract/instance.ts'
import { menu } from '../module.ts'
import { findApprovalKind } from './kinds.ts'
import { everywhere } from './requests.ts'

type Sql = RawBuilder<unknown>

/** Requests (`t`) that name the operator as requester, approver, principal or receiver of a copy. */
const takesPart = ({ ownerId, operatorId }: Pick<Caller, 'ownerId' | 'operatorId'>): Sql => sql`(
  t.applicant_id = ${operatorId}
  or exists (
    select 1
    from process_task k
    where k.owner_id = ${ownerId}
      and k.instance_id = t.id
      and (k.approver_id = ${operatorId} or k.principal_id = ${operatorId})
  )
  or exists (
    select 1
    from process_copy p
    where p.owner_id = ${ownerId} and p.instance_id = t.id and p.manager_id = ${operatorId}
  )
)`

/** Requests (`t`) in the caller's data domain; what belongs to no project belongs to the whole company. */
export const isInCallersProjects = ({ domain }: Pick<Caller, 'domain'>): Sql =>
  domain.all ? sql`true` : sql`t.project_code = any(${[...domain.projects.keys()]}::text[])`

/** Whether the caller takes part in a request, and does not only look at the data. */
export const participates = async (db: Db, scope: Scope, id: Id): Promise<boolean> =>
  (await db.one(sql`
    select 1 as found
    from process_instance t
    where t.owner_id = ${scope.ownerId} and t.id = ${id} and ${takesPart(scope)}
  `)) !== undefined

const visibleTo = (caller: Caller): Sql =>
  hasPermission(caller, menu.instance.permissions.view)
    ? sql`(${takesPart(caller)} or ${isInCallersProjects(caller)})`
    : takesPart(caller)

/** A request that the caller takes part in, or may see among all; any other does not exist for them. */
export async function requireVisible(db: Db, scope: Scope, id: Id): Promise<ProcessInstance> {
  const [instance] = await findAll(
    db,
    processInstance,
    everywhere(scope),
    {},
    { where: [sql`t.id = ${id}`, visibleTo(scope)], limit: 1 },
  )
  if (!instance) throw notFound()
  return instance
}

/** Requests (`t`) of a record: also those that it is in as one of several, which their form lists. */
export function isOfRecord(bizType: ApprovalKindKey, bizId: Id): Sql {
  const listsIds = 'ids' in (findApprovalKind(bizType)?.kind.form ?? {})
  const isListed = sql`or t.form::jsonb -> 'ids' @> ${JSON.stringify([String(bizId)])}::jsonb`
  return sql`t.biz_type = ${code(approvalKind, bizType)}
    and (t.biz_id = ${bizId} ${listsIds ? isListed : sql``})`
}

/** The requests of the same record before this one that the caller sees, the latest first. */
export async function findEarlier(
  db: Db,
  scope: Scope,
  { id, bizType, bizId }: ProcessInstance,
): Promise<readonly ProcessInstance[]> {
  if (!bizId) return []
  const where = [isOfRecord(bizType, bizId), sql`t.id < ${id}`, visibleTo(scope)]
  return findAll(db, processInstance, everywhere(scope), { order: '-id' }, { where, limit: 20 })
}

const filesOfVisible = (caller: Caller): Sql => sql`exists (
  select 1
  from process_instance i
  where i.owner_id = ${caller.ownerId}
    and i.id = t.instance_id
    and ${notDeleted('i')}
    and i.id in (
      select t.id
      from process_instance t
      where t.owner_id = ${caller.ownerId} and ${visibleTo(caller)}
    )
)`

for (const entity of ['processTask', 'processForm', 'processComment']) {
  registerFileAccess(entity, filesOfVisible)
}
