import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById } from '#kit/server/table.ts'
import { code, live, touch } from '#kit/server/sql.ts'
import { onResidentsMerged } from '#modules/residents/server/public.ts'
import { company } from '../contract/company.ts'
import {
  auditWorkers,
  companyWorker,
  companyWorkers,
  deleteWorkers,
  setCompanyAdmins,
  workerState,
} from '../contract/company-worker.ts'

const workerStateMachine = defineStateMachine<keyof typeof workerState.rows>(
  { pending: ['active', 'left'], active: ['left'], left: ['active'] },
  { state: s => labelOf(workerState, s) },
)

/** Found by name, pinyin and number. */
export const workerSearchText = { names: ['name'], codes: ['mobile'] } as const

/** The same person among the residents, by his mobile. */
export const findResidentIdByMobile = async (
  tx: Tx,
  owner: number,
  mobile: string | undefined,
): Promise<number | undefined> =>
  mobile
    ? (
        await tx.one<{ id: number }>(
          sql`
            select id
            from resident
            where owner_id = ${owner} and mobile = ${mobile} and ${live()} and state = ${code(workerState, 'active')}
          `,
        )
      )?.id
    : undefined

onResidentsMerged(async (tx, scope, keep, gone) => {
  await tx.execute(
    sql`
      update company_worker
      set user_id = ${keep.id}
      where owner_id = ${scope.ownerId} and user_id = any(${[...gone]}::bigint[])
    `,
  )
})

const requirePresentCompany = async (tx: Tx, scope: Scope, id: number) => {
  const c = await requireById(tx, company, scope, id, true)
  return c.state === 'gone' ? refuse(`「${c.name}」已迁出，不能再维护员工`) : c
}

const residentOf = async (d: { readonly mobile?: string }, { tx, scope }: WriteContext): Promise<object> => ({
  userId: await findResidentIdByMobile(tx, scope.ownerId, d.mobile),
})

export const workerServer = crudHandlers(companyWorkers, {
  searchText: workerSearchText,
  pictures: ['photo'],
  unique: { company_worker_mobile: '该手机号已是本企业的员工' },
  byHand: ['delete'],
  beforeInsert: async (d, c) => {
    const { projectCode } = await requirePresentCompany(c.tx, c.scope, d.companyId)
    return { projectCode, ...(await residentOf(d, c)) }
  },
  beforeUpdate: residentOf,
})

/** BASE-16: a company with people keeps at least one administrator, once it has any. */
async function assertAdminRemains(
  tx: Tx,
  scope: Scope,
  companyId: number,
  leaving: readonly number[],
): Promise<void> {
  const n = await tx.one<{
    admins: number
    staying: number
    others: number
  }>(sql`
    select count(*) filter (where is_admin)::int as admins,
      (count(*) filter (where is_admin and not id = any(${[...leaving]})))::int as staying,
      (count(*) filter (where not id = any(${[...leaving]})))::int as others
    from company_worker
    where owner_id = ${scope.ownerId} and company_id = ${companyId} and ${live()} and state = ${code(workerState, 'active')}
  `)
  if (defined(n).admins > 0 && defined(n).staying === 0 && defined(n).others > 0)
    refuse('企业至少要有一位管理员，请先设置别的管理员')
}

export const workerHandlers = [
  writes(deleteWorkers, async ({ ids, reason }, { tx, scope, today }) => {
    const asked = await findByIds(tx, companyWorker, scope, ids)
    if (asked.length !== new Set(ids.map(Number)).size) throw notFound()
    for (const c of [...new Set(asked.map(w => w.companyId))].toSorted((a, b) => a - b)) {
      await requireById(tx, company, scope, c, true)
    }
    const found = await findByIds(tx, companyWorker, scope, ids, true)
    const gone = found.find(w => w.state === 'left')
    if (gone) return refuse(`${gone.name}已离职，不用重复操作`)
    for (const [c, some] of Map.groupBy(found, w => w.companyId)) {
      await assertAdminRemains(
        tx,
        scope,
        c,
        some.map(w => w.id),
      )
    }
    await tx.execute(
      sql`
        update company_worker
        set state = ${code(workerState, 'left')}, is_admin = false, out_date = ${today}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${found.map(w => w.id)})
      `,
    )
    await audit(
      tx,
      scope,
      found.map(w => ({
        action: 'state',
        entity: 'companyWorker',
        entityId: w.id,
        projectCode: w.projectCode,
        before: { state: w.state },
        after: { state: 'left' },
        reason,
      })),
    )
  }),
  writes(auditWorkers, async ({ ids, pass, reason }, { tx, scope, today }) => {
    const found = await findByIds(tx, companyWorker, scope, ids, true)
    if (!found.length) throw notFound()
    const judged = found.map(w => ({
      w,
      fault:
        w.state === 'pending'
          ? workerStateMachine.checkTransition(w.state, pass ? 'active' : 'left')
          : `${w.name}不在待审核`,
    }))
    const good = judged.filter(j => !j.fault).map(j => j.w)
    await tx.execute(
      sql`
        update company_worker
        set state = ${pass ? 10 : 20},
          in_date = case when ${pass} then coalesce(in_date, ${today}) else in_date end,
          ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${good.map(w => w.id)})
      `,
    )
    await audit(
      tx,
      scope,
      good.map(w => ({
        action: 'state',
        entity: 'companyWorker',
        entityId: w.id,
        projectCode: w.projectCode,
        before: { state: w.state },
        after: { state: pass ? 'active' : 'left' },
        reason,
      })),
    )
    const gone = ids.filter(id => !found.some(w => w.id === Number(id)))
    return {
      success: good.length,
      fail: ids.length - good.length,
      skipped: 0,
      rows: [
        ...judged.filter(j => j.fault).map(j => ({ id: j.w.id, code: j.w.name, reason: defined(j.fault) })),
        ...gone.map(id => ({ id: Number(id), reason: notFound().message })),
      ],
    }
  }),
  writes(setCompanyAdmins, async ({ companyId, ids = [] }, { tx, scope }) => {
    const c = await requirePresentCompany(tx, scope, companyId)
    const wanted = [...new Set(ids.map(Number))]
    if (!wanted.length) return refuse(`「${c.name}」至少要有一位管理员`)
    const good = await tx.rows<{ id: number; name: string }>(
      sql`
        select id, name
        from company_worker
        where owner_id = ${scope.ownerId}
          and company_id = ${companyId}
          and id = any(${wanted})
          and ${live()}
          and state = ${code(workerState, 'active')}
      `,
    )
    if (good.length !== wanted.length) return refuse('只有在职的员工可以设为管理员，请重新选择')
    await tx.execute(
      sql`
        update company_worker
        set is_admin = id = any(${wanted}), ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and company_id = ${companyId}
          and ${live()}
          and is_admin is distinct from (id = any(${wanted}))
      `,
    )
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'company',
        entityId: companyId,
        projectCode: c.projectCode,
        after: { admins: wanted },
        reason: `管理员为${good.map(w => w.name).join('、')}`,
      },
    ])
  }),
]
