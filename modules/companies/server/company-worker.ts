import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { defineEvent } from '#kit/server/event.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, updateAll, requireByIds } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { onResidentsMerged } from '#modules/residents/server/public.ts'
import { residentState } from '#modules/residents/contract/labels.ts'
import { endAccessOf } from './departure.ts'
import { company, type Company } from '../contract/company.ts'
import {
  auditWorkers,
  companyWorker,
  companyWorkers,
  setCompanyAdmins,
  workerState,
  type CompanyWorker,
} from '../contract/company-worker.ts'

/** Found by name, pinyin and number. */
export const workerSearchText = { names: ['name'], codes: ['mobile'] } as const

/** The resident who has this number. */
export async function findResidentIdByMobile(
  tx: Tx,
  ownerId: Id,
  mobile: string | undefined,
): Promise<number | undefined> {
  if (!mobile) return undefined
  const found = await tx.one<{ id: Id }>(sql`
    select id
    from resident
    where owner_id = ${ownerId}
      and mobile = ${mobile}
      and ${notDeleted()}
      and state = ${code(residentState, 'normal')}
  `)
  return found?.id
}

onResidentsMerged(async (tx, scope, kept, merged) => {
  await tx.execute(sql`
    update company_worker
    set user_id = ${kept.id}
    where owner_id = ${scope.ownerId} and user_id = any(${[...merged]}::bigint[])
  `)
})

/** In the transaction that changes the mobile of a worker: what was sent to the old one ends (BASE-14). */
export const [onWorkerMobileChanged, publishWorkerMobileChanged] =
  defineEvent<[tx: Tx, scope: Scope, worker: Pick<CompanyWorker, 'id' | 'projectCode'>]>()

const requirePresentCompany = async (tx: Tx, scope: Scope, id: Id) => {
  const c = await requireById(tx, company, scope, id, { lock: true })
  return c.state === 'movedOut' ? refuse(`「${c.name}」已迁出，不能再维护员工`) : c
}

const residentOf = async (d: { readonly mobile?: string }, { tx, scope }: WriteContext): Promise<object> => ({
  userId: await findResidentIdByMobile(tx, scope.ownerId, d.mobile),
})

export const workerServer = crudHandlers(companyWorkers, {
  searchText: workerSearchText,
  pictures: ['photo'],
  unique: { company_worker_mobile: '该手机号已是本企业的员工' },
  references: {
    companyId: { unchecked: 'requirePresentCompany locks the company, whose project the worker gets' },
  },
  byHand: ['delete'],
  beforeInsert: async (d, c) => {
    const { projectCode } = await requirePresentCompany(c.tx, c.scope, d.companyId)
    return { projectCode, ...(await residentOf(d, c)) }
  },
  beforeUpdate: residentOf,
  // Another number may be another person's.
  afterUpdate: async (worker, { tx, scope, today }, before) => {
    const { companyId, userId } = worker
    if (before.mobile !== worker.mobile) {
      await publishWorkerMobileChanged(tx, scope, worker)
    }
    if (before.userId === undefined || before.userId === userId) return
    await endAccessOf(tx, scope, await requireById(tx, company, scope, companyId), [before.userId], today)
  },
})

/** BASE-16: a company with people keeps at least one administrator, once it has any. */
async function assertAdminRemains(
  tx: Tx,
  scope: Scope,
  companyId: Id,
  leaving: readonly Id[],
): Promise<void> {
  const counts = await tx.one<{ admins: number; remainingAdmins: number; remaining: number }>(sql`
    select count(*) filter (where is_admin)::int as admins,
      (count(*) filter (where is_admin and not id = any(${[...leaving]})))::int as remaining_admins,
      (count(*) filter (where not id = any(${[...leaving]})))::int as remaining
    from company_worker
    where owner_id = ${scope.ownerId}
      and company_id = ${companyId}
      and ${notDeleted()}
      and state = ${code(workerState, 'active')}
  `)
  const { admins, remainingAdmins, remaining } = defined(counts)
  if (admins > 0 && remainingAdmins === 0 && remaining > 0)
    refuse('企业至少要有一位管理员，请先设置其他管理员')
}

export const workerHandlers = [
  writes(companyWorkers.delete, async ({ ids, reason }, { tx, scope, today }) => {
    const found = await requireByIds(tx, companyWorker, scope, ids)
    // Companies before their workers, in order: two requests cannot lock each other out.
    const employers = new Map<Id, Company>()
    for (const id of [...new Set(found.map(w => w.companyId))].toSorted((a, b) => a - b)) {
      employers.set(id, await requireById(tx, company, scope, id, { lock: true }))
    }
    const locked = await findByIds(tx, companyWorker, scope, ids, { lock: true })
    const former = locked.find(w => w.state === 'left')
    if (former) return refuse(`${former.name}已离职，无需重复操作`)
    for (const [companyId, workers] of Map.groupBy(locked, w => w.companyId)) {
      const leaving = workers.map(w => w.id)
      await assertAdminRemains(tx, scope, companyId, leaving)
    }
    const leave = { state: 'left', isAdmin: false, outDate: today } as const
    await updateAll(tx, companyWorker, scope, locked, leave, { action: 'state', reason })
    for (const [companyId, workers] of Map.groupBy(locked, w => w.companyId)) {
      const userIds = workers.map(w => w.userId)
      await endAccessOf(tx, scope, defined(employers.get(companyId)), userIds, today)
    }
  }),
  writes(auditWorkers, async ({ ids, pass, reason }, { tx, scope, today }) => {
    const found = await findByIds(tx, companyWorker, scope, ids, { lock: true })
    if (!found.length) throw notFound()
    const state = pass ? 'active' : 'left'
    const { allowed: decided, refused } = judgeRecords(
      found,
      w => (w.state === 'pending' ? undefined : `${w.name}不在待审核`),
      w => w.name,
    )
    const options = { action: 'state', reason } as const
    const beginToday = pass ? decided.filter(w => !w.inDate) : []
    const others = decided.filter(w => !beginToday.includes(w))
    await updateAll(tx, companyWorker, scope, beginToday, { state, inDate: today }, options)
    await updateAll(tx, companyWorker, scope, others, { state }, options)
    return bulkResultOf(ids, found, refused)
  }),
  writes(setCompanyAdmins, async ({ companyId, ids = [] }, { tx, scope }) => {
    const { name, projectCode } = await requirePresentCompany(tx, scope, companyId)
    const admins = [...new Set(ids.map(parseId))]
    if (!admins.length) return refuse(`「${name}」至少要有一位管理员`)
    const active = await tx.rows<{ id: Id; name: string }>(sql`
      select id, name
      from company_worker
      where owner_id = ${scope.ownerId}
        and company_id = ${companyId}
        and id = any(${admins})
        and ${notDeleted()}
        and state = ${code(workerState, 'active')}
    `)
    if (active.length !== admins.length) return refuse('只有在职的员工可以设为管理员，请重新选择')
    await tx.execute(sql`
      update company_worker
      set is_admin = id = any(${admins}), ${touch(scope)}
      where owner_id = ${scope.ownerId}
        and company_id = ${companyId}
        and ${notDeleted()}
        and is_admin is distinct from (id = any(${admins}))
    `)
    const reason = `管理员为${active.map(w => w.name).join('、')}`
    await audit(tx, scope, [
      { action: 'update', entity: 'company', entityId: companyId, projectCode, after: { admins }, reason },
    ])
  }),
]
