import { parseId, type Id } from '#kit/domain/id.ts'
import { addDaysToMoment } from '#kit/domain/moment.ts'
import { refuse, Refused, resultCode } from '#kit/contract/wire.ts'
import { keyOf, pickFields } from '#kit/contract/field.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, requirePermission } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { requireById, requireByIds } from '#kit/server/table.ts'
import { orderState } from '../contract/choices.ts'
import {
  editOrder,
  findDuplicateOrders,
  findReporters,
  markOrdersViewed,
  registerOrder,
  registerRepair,
} from '../contract/order.ts'
import { addOrderNote, orderRecord, orderRecords } from '../contract/record.ts'
import { workOrder } from '../contract/work-order.ts'
import { openStates } from '../domain/order-actions.ts'
import { menu } from '../module.ts'
import { dispatchTo } from './dispatching.ts'
import { loadFunctions } from './function-settings.ts'
import { orderRowConditions, requireOrder } from './order-access.ts'
import { staffContext } from './order-context.ts'
import { edit } from './order-editing.ts'
import { assertFiles, findDuplicates, findTypeByName, register } from './registration.ts'
import { lockMoney } from './payment.ts'
import { requirePlace } from './place.ts'
import { applyStep } from './transition.ts'

interface ReporterRow {
  readonly reporterId: Id
  readonly reporterName: string
  readonly reporterPhone: string
  readonly roomCode?: string
  readonly roomName?: string
  readonly openCount: number
}

/** Residents by a phone number, with the rooms they live in now, in the caller's domain. */
const findByPhone = (
  { db, scope }: ReadContext,
  projectCode: string,
  phone: string,
): Promise<ReporterRow[]> => {
  const buildings = scope.domain.all ? null : scope.domain.projects.get(projectCode)
  return db.rows<ReporterRow>(sql`
    select u.id as reporter_id, u.name as reporter_name, u.mobile as reporter_phone, r.code as room_code,
      r.path as room_name,
      (
        select count(*)
        from work_order t
        where t.owner_id = ${scope.ownerId}
          and t.project_code = ${projectCode}
          and t.room_code = r.code
          and t.state in ${codes(orderState, ...openStates)}
          and ${notDeleted('t')}
      )::int as open_count
    from resident u
    join user_room l on l.owner_id = ${scope.ownerId} and l.user_id = u.id and ${notDeleted('l')}
    join room r on r.owner_id = ${scope.ownerId} and r.id = l.room_id and ${notDeleted('r')}
    where u.owner_id = ${scope.ownerId}
      and u.mobile = ${phone}
      and r.project_code = ${projectCode}
      and (${!buildings} or r.build_code = any(${[...(buildings ?? [])]}::text[]))
      and ${notDeleted('u')}
    order by r.sort_key
    limit 20
  `)
}

export const orderRecordServer = crudHandlers(orderRecords, {
  filter: (_, { db, scope }) => orderRowConditions(db, scope),
})

export const orderHandlers = [
  writes(registerOrder, async ({ handlerId, source, ...draft }, context) => {
    const c = staffContext(context)
    await assertReferences(pickFields(workOrder.fields, ['reporterId', 'relatedOrderId']), draft, context)
    if (handlerId) {
      requirePermission(c.scope, menu.order.permissions.dispatch)
    }
    const order = await register(c, {
      ...draft,
      source: source ?? 'reception',
      isDispatched: !handlerId,
    })
    if (!handlerId) return order
    if (order.state !== 'waiting') refuse('该类型的工单需要审核，审核通过后才能派单；请不要选择处理人')
    return dispatchTo(c, order, handlerId)
  }),
  writes(registerRepair, async ({ repairType, ...draft }, context) => {
    const c = staffContext(context)
    return register(c, {
      ...draft,
      typeId: await findTypeByName(c.tx, c.scope, repairType),
      source: 'phone',
    })
  }),
  reads(findDuplicateOrders, async ({ projectCode, typeId, roomCode, areaId }, { db, scope, now }) => {
    const { duplicateHint } = await loadFunctions(db, scope.ownerId)
    if (!duplicateHint.isOn || (roomCode === undefined && !areaId)) return []
    const place = await requirePlace(db, scope, { projectCode, roomCode, areaId })
    const since = addDaysToMoment(now, -duplicateHint.value)
    const found = await findDuplicates(db, scope.ownerId, place, typeId, since)
    const rows = await db.rows<{
      id: Id
      orderNo: string
      typeName: string
      title?: string
      stateCode: number
      registerTime: typeof now
      handlerName?: string
    }>(sql`
      select id, order_no, type_name, title, state as state_code, register_time, handler_name
      from work_order
      where owner_id = ${scope.ownerId} and id = any(${found.map(order => order.id)}::bigint[])
      order by id desc
    `)
    return rows.flatMap(({ stateCode, ...row }) => {
      const state = keyOf(orderState, stateCode)
      return state === undefined ? [] : [{ ...row, state }]
    })
  }),
  reads(findReporters, async ({ projectCode, phone }, c) => {
    if (!hasProject(c.scope.domain, projectCode)) throw outOfDomain()
    return findByPhone(c, projectCode, phone.trim())
  }),
  writes(editOrder, async (input, context) => {
    const c = staffContext(context)
    // Another type may change what is owed (WO-8).
    if (input.typeId !== undefined) {
      await lockMoney(c, input.id)
    }
    return edit(c, await requireOrder(c.tx, c.scope, input.id, { lock: true }), input)
  }),
  writes(markOrdersViewed, async ({ ids, isViewed }, { tx, scope }) => {
    await requireByIds(tx, workOrder, scope, ids)
    await tx.execute(sql`
      update work_order_person
      set is_unread = ${!isViewed}
      where owner_id = ${scope.ownerId}
        and manager_id = ${scope.operatorId}
        and order_id = any(${ids.map(parseId)}::bigint[])
    `)
  }),
  writes(addOrderNote, async ({ orderId, content, photos }, context) => {
    const c = staffContext(context)
    const order = await requireOrder(c.tx, c.scope, orderId, { lock: true })
    await assertFiles(c.app, c.scope.ownerId, 'Photos', photos, 'image')
    await applyStep(c, order, { action: 'note', content, photos })
    const last = await c.tx.one<{ id: Id }>(sql`
      select max(id) as id from work_order_record where owner_id = ${c.scope.ownerId} and order_id = ${orderId}
    `)
    if (!last) throw new Refused(resultCode.notFound, '工单不存在或已被删除')
    return requireById(c.tx, orderRecord, c.scope, last.id)
  }),
]
