import { parseId, type Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { invalidField, invalidInput, notFound, type FieldFault } from '#kit/contract/wire.ts'
import type { RowValues } from '#kit/contract/shape.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, insertAll, requireById, requireByIds, tenantFilter, update } from '#kit/server/table.ts'
import { orderState } from '../contract/choices.ts'
import {
  addTypeSet,
  getTypeLimits,
  getTypeSettings,
  orderType,
  orderTypes,
  pickOrderTypes,
  saveTypeLimits,
  saveTypeLimitsBatch,
  type OrderType,
} from '../contract/order-type.ts'
import { workOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { computeClocks } from '../domain/clocks.ts'
import { limitsOf } from '../domain/limits.ts'
import { describeService } from '../domain/service-calendar.ts'
import { ancestorsOf, parentRefusal } from '../domain/type-tree.ts'
import { typeSets, urgentMinutes, type PresetType } from '../domain/type-sets.ts'
import { loadCalendar, loadTypes } from './order-types.ts'

/** How many accounts each type reaches by the configurations, those of its parents too. */
async function countPeople(
  db: Db,
  scope: Scope,
  types: ReadonlyMap<Id, OrderType>,
): Promise<Map<Id, number>> {
  const configs = await db.rows<{ typeId?: Id; managerIds?: string[] }>(sql`
    select type_id, manager_ids
    from work_order_person_config
    where owner_id = ${scope.ownerId} and ${notDeleted()}
  `)
  return new Map(
    [...types.keys()].map(id => {
      const line = new Set(ancestorsOf(types, id).map(type => type.id))
      const people = configs
        .filter(config => config.typeId === undefined || line.has(config.typeId))
        .flatMap(config => config.managerIds ?? [])
      return [id, new Set(people).size]
    }),
  )
}

const assertHours = (type: Pick<OrderType, 'is24h'> & { serviceBegin?: string; serviceEnd?: string }) => {
  if (!type.is24h && type.serviceBegin === type.serviceEnd)
    throw invalidField('ServiceEnd', '服务开始与结束相同；全天服务请选择 24 小时服务')
}

async function typeFaults(
  draft: { readonly parentId?: Id; readonly category: OrderType['category'] },
  tx: Tx,
  scope: Scope,
  before: OrderType | undefined,
): Promise<FieldFault[]> {
  const types = await loadTypes(tx, scope)
  const refusal = parentRefusal(types, before?.id, draft.parentId || undefined)
  if (refusal) return [{ Field: 'ParentID', Message: refusal }]
  const parent = draft.parentId ? types.get(draft.parentId) : undefined
  return parent && parent.category !== draft.category
    ? [{ Field: 'Category', Message: '下级类型的大类应与上级相同' }]
    : []
}

/** A type that orders or other types still refer to is switched off instead. */
async function assertUnused(tx: Tx, scope: Scope, rows: readonly OrderType[]): Promise<void> {
  const ids = rows.map(row => row.id)
  const used = await tx.one<{ orders: number; types: number }>(sql`
    select (
        select count(*)
        from work_order
        where owner_id = ${scope.ownerId} and type_id = any(${ids}::bigint[]) and ${notDeleted()}
      )::int as orders,
      (
        select count(*)
        from work_order_type
        where owner_id = ${scope.ownerId}
          and parent_id = any(${ids}::bigint[])
          and id <> all(${ids}::bigint[])
          and ${notDeleted()}
      )::int as types
  `)
  if (used?.types)
    throw invalidInput([{ Field: 'Ids', Message: `还有 ${used.types} 个下级类型，请先删除下级` }])
  if (used?.orders)
    throw invalidInput([{ Field: 'Ids', Message: `已有 ${used.orders} 张工单使用，不能删除；请改为停用` }])
}

export const orderTypeServer = crudHandlers(orderTypes, {
  codes: { typeCode: 'GL' },
  unique: {
    work_order_type_code_live: '类型编码已被使用，请更换',
    work_order_type_name_live: '同一上级下已有此名称的类型',
  },
  pickers: [pickOrderTypes],
  enrich: async (rows, { db, scope }) => {
    const counts = await countPeople(db, scope, await loadTypes(db, scope))
    return rows.map(row => ({ ...row, personCount: counts.get(row.id) ?? 0 }))
  },
  check: async (draft, { tx, scope }, before) => {
    assertHours(draft)
    return typeFaults(draft, tx, scope, before)
  },
  beforeDelete: (rows, { tx, scope }) => assertUnused(tx, scope, rows),
})

type Limits = Omit<NonNullable<typeof saveTypeLimits.input.T>, 'id'>

/** Only what was sent. */
const limitValues = (limits: Limits): RowValues<typeof orderType.fields> =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))

async function saveLimits(tx: Tx, scope: Scope, type: OrderType, limits: Limits): Promise<void> {
  const ownLimits = limitValues(limits)
  assertHours({ ...type, ...ownLimits })
  await update(tx, orderType, scope, type.id, ownLimits)
}

const presetValues = (preset: PresetType, parentId: Id | undefined, sort: number) => ({
  ...startValues(orderType),
  typeCode: preset.code,
  typeName: preset.name,
  parentId,
  category: preset.category,
  dispatchMode: preset.mode ?? 'manual',
  is24h: preset.is24h ?? false,
  workdaysOnly: preset.workdaysOnly ?? false,
  serviceBegin: '08:00',
  serviceEnd: '18:00',
  responseMinutes: preset.response,
  arriveMinutes: preset.arrive,
  finishMinutes: preset.finish,
  urgentResponseMinutes: urgentMinutes(preset.response),
  urgentArriveMinutes: preset.arrive === undefined ? undefined : urgentMinutes(preset.arrive),
  urgentFinishMinutes: urgentMinutes(preset.finish),
  needAudit: preset.needAudit ?? false,
  needAccept: preset.needAccept ?? false,
  needVisit: preset.category === 'complaint',
  photoCount: preset.photos ?? 0,
  warrantyDays: preset.warranty ?? 0,
  isCharge: preset.prices !== undefined,
  prices: preset.prices?.map(price => ({ ...price, price: asFen(price.price) })),
  evaluateDays: 7,
  sort,
  state: 'on' as const,
})

/** Level by level, those that the company has no code of. Two at once add none twice (the unique code). */
export async function addTypes(tx: Tx, scope: Scope, presets: readonly PresetType[]) {
  const byCode = new Map<string, Id>(
    (await findAll(tx, orderType, scope)).flatMap(type =>
      type.typeCode === undefined ? [] : [[type.typeCode, type.id] as const],
    ),
  )
  const missing = presets.filter(preset => !byCode.has(preset.code))
  for (const level of [missing.filter(p => !p.parent), missing.filter(p => p.parent)]) {
    const ids = await insertAll(
      tx,
      orderType,
      scope,
      level.map(preset =>
        presetValues(
          preset,
          preset.parent ? byCode.get(preset.parent) : undefined,
          presets.indexOf(preset) + 1,
        ),
      ),
    )
    level.forEach((preset, i) => byCode.set(preset.code, ids[i] ?? 0))
  }
  return { added: missing.length, skipped: presets.length - missing.length, byCode }
}

async function openCounts(db: Db, scope: Scope): Promise<Map<Id, number>> {
  const rows = await db.rows<{ typeId: Id; count: number }>(sql`
    select type_id, count(*)::int as count
    from work_order t
    where ${tenantFilter(workOrder, scope)} and t.state in ${codes(orderState, ...openStates)}
    group by type_id
  `)
  return new Map(rows.map(row => [row.typeId, row.count]))
}

export const orderTypeHandlers = [
  reads(getTypeSettings, async (_, { db, scope }) => {
    const types = await loadTypes(db, scope)
    const people = await countPeople(db, scope, types)
    const open = await openCounts(db, scope)
    return [...types.values()].map(type => ({
      ...type,
      personCount: people.get(type.id) ?? 0,
      openCount: open.get(type.id) ?? 0,
    }))
  }),
  writes(addTypeSet, async ({ typeSet }, { tx, scope }) => {
    const { added, skipped } = await addTypes(tx, scope, typeSets[typeSet])
    return { added, skipped }
  }),
  writes(saveTypeLimits, async ({ id, ...limits }, { tx, scope }) => {
    await saveLimits(tx, scope, await requireById(tx, orderType, scope, id, { lock: true }), limits)
  }),
  writes(saveTypeLimitsBatch, async ({ ids, ...limits }, { tx, scope }) => {
    const types = await requireByIds(tx, orderType, scope, ids.map(parseId), { lock: true })
    for (const type of types) {
      await saveLimits(tx, scope, type, limits)
    }
    return { success: types.length, fail: 0, skipped: 0, rows: [] }
  }),
  reads(getTypeLimits, async ({ typeId, level = 'normal' }, { db, scope, now }) => {
    // One that was switched off too: orders that have it are still worked on.
    const type = (await loadTypes(db, scope)).get(typeId)
    if (!type) throw notFound()
    const limits = limitsOf(type, type.category, level)
    const calendar = await loadCalendar(db, scope.ownerId, limits)
    const history = [{ action: 'register', to: 'waiting', at: now }] as const
    const clocks = computeClocks(history, limits, calendar, now)
    return {
      ...type,
      ...limits,
      dispatchMode: type.dispatchMode,
      typeId,
      serviceText: describeService(limits),
      responseDeadline: clocks.response.deadline,
      finishDeadline: clocks.finish.deadline,
      prices: type.prices ?? [],
    }
  }),
]
