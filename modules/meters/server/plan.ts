import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { keyOf } from '#kit/contract/field.ts'
import { monthOf, type Month } from '#kit/domain/month.ts'
import { audit } from '#kit/server/audit.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import { hasBuilding, type Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  insert,
  requireById,
  findPage,
  remove,
  update,
  projectRequired,
  tenantFilter,
  withAllFields,
} from '#kit/server/table.ts'
import { notDeleted, code } from '#kit/server/sql.ts'
import {
  addPlan,
  deletePlans,
  editPlan,
  listPlans,
  listUnread,
  getPlan,
  setUnreadReason,
} from '../contract/plan.ts'
import { meter, meterPlan, type MeterPlan } from '../contract/meter.ts'
import { meterKind, unreadReason } from '../contract/choices.ts'
import { meterInUse, validReading } from './reading-conditions.ts'

uniqueMessages({ meter_plan_name_live: '该项目已有同名的抄表计划' })

/** The meters `t` in use that a plan covers. */
export const coveredMeterCondition = (
  plan: Pick<MeterPlan, 'projectCode' | 'meterKind' | 'buildCodes'>,
): RawBuilder<unknown> =>
  sql.join(
    [
      sql`t.project_code = ${plan.projectCode}`,
      meterInUse('t'),
      ...(plan.meterKind === undefined ? [] : [sql`t.meter_kind = ${code(meterKind, plan.meterKind)}`]),
      ...(plan.buildCodes?.length ? [sql`t.build_code = any(${[...plan.buildCodes]})`] : []),
    ],
    sql` and `,
  )

/** Whether the meter `t` has a valid reading in the month. */
export const isReadCondition = (ownerId: Id, month: Month): RawBuilder<unknown> =>
  sql`exists (
    select 1
    from meter_reading r
    where r.owner_id = ${ownerId}
      and r.meter_id = t.id
      and r.month = ${month}
      and ${validReading('r')}
  )`

/** Adds how many meters of each plan are read in a month; one statement. */
async function withProgress(
  db: Db,
  scope: Scope,
  plans: readonly MeterPlan[],
  month: Month,
): Promise<MeterPlan[]> {
  if (!plans.length) return []
  const countByPlan = new Map(
    (
      await db.rows<{
        id: Id
        total: number
        read: number
      }>(sql`
        select p.id, count(t.id)::int as total,
          (count(t.id) filter (where ${isReadCondition(scope.ownerId, month)}))::int as read
        from meter_plan p
        left join meter t on t.owner_id = ${scope.ownerId}
          and t.project_code = p.project_code
          and ${notDeleted('t')}
          and ${meterInUse('t')}
          and (p.meter_kind is null or t.meter_kind = p.meter_kind)
          and (p.build_codes is null or t.build_code = any(p.build_codes))
        where p.owner_id = ${scope.ownerId} and p.id = any(${plans.map(p => p.id)})
        group by p.id
      `)
    ).map(x => [x.id, x]),
  )
  return plans.map(p => ({
    ...p,
    total: countByPlan.get(p.id)?.total ?? 0,
    read: countByPlan.get(p.id)?.read ?? 0,
  }))
}

const assertPlanMonths = (d: Partial<MeterPlan>): void => {
  if (d.endMonth && d.beginMonth && d.endMonth < d.beginMonth) refuse('计划的止月不能早于起月')
}

export const planHandlers = [
  reads(listPlans, async ({ progressMonth, ...q }, { db, scope, today }) => {
    const found = await findPage(db, meterPlan, scope, q, { filters: defined(listPlans.input.filters) })
    return { ...found, rows: await withProgress(db, scope, found.rows, progressMonth ?? monthOf(today)) }
  }),
  reads(getPlan, async ({ id }, { db, scope, today }) =>
    defined(
      (await withProgress(db, scope, [await requireById(db, meterPlan, scope, id)], monthOf(today)))[0],
    ),
  ),
  writes(addPlan, async ({ id: _id, version: _version, ...draft }, c) => {
    const { tx, scope, today } = c
    if (!draft.projectCode) throw projectRequired()
    assertPlanMonths(draft)
    await assertReferences(meterPlan.fields, draft, c)
    return defined(
      (await withProgress(tx, scope, [await insert(tx, meterPlan, scope, draft)], monthOf(today)))[0],
    )
  }),
  writes(editPlan, async ({ id, version, ...draft }, c) => {
    const { tx, scope, today } = c
    if (!id) return refuse('缺少要修改的计划')
    assertPlanMonths(draft)
    const before = await requireById(tx, meterPlan, scope, id, { lock: true })
    await assertReferences(meterPlan.fields, draft, c, { before })
    return defined(
      (
        await withProgress(
          tx,
          scope,
          [
            await update(
              tx,
              meterPlan,
              scope,
              id,
              { ...withAllFields(editPlan.input, draft), projectCode: before.projectCode },
              { version },
            ),
          ],
          monthOf(today),
        )
      )[0],
    )
  }),
  writes(deletePlans, async ({ ids, reason }, { tx, scope }) => {
    await remove(tx, meterPlan, scope, ids, reason)
  }),
  reads(listUnread, async ({ planId, month, page = 1, size = 10 }, { db, scope }) => {
    const plan = await requireById(db, meterPlan, scope, planId)
    const condition = sql`${tenantFilter(meter, scope, plan.projectCode)}
      and ${coveredMeterCondition(plan)}
      and not ${isReadCondition(scope.ownerId, month)}`
    const [list, [counted]] = await db.all<
      [
        {
          id: Id
          meterNo: string
          meterKind: number
          sourceName?: string
          location?: string
          unread?: number
          remark?: string
        },
        { n: number },
      ]
    >(
      sql`
        select t.id, t.meter_no, t.meter_kind, t.source_name, t.location, u.reason as unread, u.remark
        from meter t
        left join meter_unread u on u.owner_id = ${scope.ownerId} and u.meter_id = t.id and u.month = ${month}
        where ${condition}
        order by t.sort_key, t.meter_no, t.id
        limit ${size} offset ${(page - 1) * size}
      `,
      sql`select count(*) as n from meter t where ${condition}`,
    )
    return {
      total: defined(counted).n,
      rows: list.map(({ unread, ...r }) => ({
        ...r,
        meterKind: defined(keyOf(meterKind, r.meterKind)),
        ...(unread === undefined ? {} : { unread: defined(keyOf(unreadReason, unread)) }),
      })),
    }
  }),
  writes(setUnreadReason, async ({ meterIds, month, unread, remark }, { tx, scope }) => {
    const found = await findByIds(tx, meter, scope, meterIds)
    const read = new Set(
      (
        await tx.rows<{ id: Id }>(
          sql`
            select t.id
            from meter t
            where t.owner_id = ${scope.ownerId}
              and t.id = any(${found.map(m => m.id)})
              and ${isReadCondition(scope.ownerId, month)}
          `,
        )
      ).map(r => r.id),
    )
    const allowed = found.filter(
      m =>
        !read.has(m.id) &&
        (m.buildCode === undefined || hasBuilding(scope.domain, m.projectCode, m.buildCode)),
    )
    if (unread) {
      await tx.execute(
        sql`
          insert into meter_unread (owner_id, meter_id, month, reason, remark, create_by, create_time)
          select ${scope.ownerId}::bigint, w.id, ${month}, ${code(unreadReason, unread)}::smallint,
            ${remark ?? null}, ${scope.operatorId}::bigint, ${scope.time}::timestamptz
          from unnest(${allowed.map(m => m.id)}::bigint[]) w(id)
          on conflict (owner_id, meter_id, month) do update set reason = excluded.reason,
            remark = excluded.remark, create_by = excluded.create_by,
            create_time = excluded.create_time
          returning meter_id
        `,
      )
    } else {
      await tx.execute(
        sql`
          delete
          from meter_unread
          where owner_id = ${scope.ownerId} and month = ${month} and meter_id = any(${allowed.map(m => m.id)})
        `,
      )
    }
    await audit(
      tx,
      scope,
      allowed.map(meterRow => ({
        action: 'update',
        entity: 'meter',
        entityId: meterRow.id,
        projectCode: meterRow.projectCode,
        after: { month, unread: unread ?? null, remark },
      })),
    )
    return {
      success: allowed.length,
      fail: meterIds.length - found.length,
      skipped: found.length - allowed.length,
      rows: found.filter(m => read.has(m.id)).map(m => ({ id: m.id, code: m.meterNo, reason: '当月已抄' })),
    }
  }),
]
