import { parseId, type Id } from '#kit/domain/id.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { invalidField, invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { startValues } from '#kit/server/crud-write.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { saveSearchText, type SearchTextFields } from '#kit/server/search-column.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { insert, insertStatement } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { orderState, type orderLevel, type orderSource } from '../contract/choices.ts'
import type { OrderType } from '../contract/order-type.ts'
import { orderRecord } from '../contract/record.ts'
import { maxPhotos, maxVideoBytes, workOrder, type WorkOrder } from '../contract/work-order.ts'
import { computeClocks } from '../domain/clocks.ts'
import { limitsOf } from '../domain/limits.ts'
import { openStates } from '../domain/order-actions.ts'
import { assertCanRead } from './accounts.ts'
import { dispatchAutomatically } from './dispatching.ts'
import { nameOrder, tellAccounts, tellSubscribers } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { loadCalendar, requireUsableType } from './order-types.ts'
import { requirePlace, samePlace, type OrderPlace } from './place.ts'
import { clockColumns, markConcerned, recordValues } from './transition.ts'
import { findWarranty } from './warranty.ts'

/** What the numbers of orders begin with (G-14). */
export const orderPrefix = 'GD'

export const orderSearchText: SearchTextFields = {
  names: ['reporterName', 'title', 'address', 'handlerName'],
  codes: ['orderNo', 'reporterPhone'],
}

export interface NewOrder {
  readonly projectCode: string
  readonly typeId: Id
  readonly source: ChoiceOf<typeof orderSource>
  readonly roomCode?: string | undefined
  readonly areaId?: Id | undefined
  readonly deviceId?: Id | undefined
  readonly address?: string | undefined
  readonly reporterId?: Id | undefined
  readonly reporterName?: string | undefined
  readonly reporterPhone?: string | undefined
  readonly title?: string | undefined
  readonly content: string
  readonly photos?: readonly string[] | undefined
  readonly videos?: readonly string[] | undefined
  readonly level?: ChoiceOf<typeof orderLevel> | undefined
  readonly appointTime?: Moment | undefined
  readonly observerIds?: readonly string[] | undefined
  readonly relatedOrderId?: Id | undefined
  readonly ref?: { readonly type: string; readonly id: Id } | undefined
  /** Whether somebody is chosen by the mode of the type; true unless given. */
  readonly isDispatched?: boolean | undefined
}

/** Refuses files that are not there; of photos those that are none. */
export async function assertFiles(
  app: Pick<App, 'files'>,
  ownerId: Id,
  field: string,
  keys: readonly string[] | undefined,
  kind: 'image' | 'video',
): Promise<void> {
  if (!keys?.length) return
  const noun = kind === 'image' ? '图片' : '视频'
  if (kind === 'image' && keys.length > maxPhotos) throw invalidField(field, `最多上传 ${maxPhotos} 张图片`)
  const found = await app.files.describe(ownerId, keys)
  if (found.length < new Set(keys).size) throw invalidField(field, `${noun}不存在或已过期，请重新上传`)
  if (found.some(file => !file.type.startsWith(`${kind}/`)))
    throw invalidField(field, `只能上传${noun}，请重新选择`)
  if (kind === 'video' && found.some(file => file.size > maxVideoBytes))
    throw invalidField(field, `视频不能超过 ${maxVideoBytes / 1024 / 1024} MB，请剪短后再上传`)
}

/** Open orders of the type at the place, of the last days (WO-7). Uses work_order_room, work_order_area. */
export const findDuplicates = (
  db: Pick<Db, 'rows'>,
  ownerId: Id,
  place: Omit<OrderPlace, 'address'>,
  typeId: Id,
  since: Moment,
): Promise<{ readonly id: Id; readonly orderNo: string }[]> =>
  db.rows(sql`
    select t.id, t.order_no
    from work_order t
    where t.owner_id = ${ownerId}
      and t.project_code = ${place.projectCode}
      and t.type_id = ${typeId}
      and ${samePlace(place)}
      and t.state in ${codes(orderState, ...openStates)}
      and t.register_time >= ${since}
      and ${notDeleted('t')}
    order by t.id desc
    limit 20
  `)

const titleOf = (input: NewOrder): string =>
  input.title?.trim() || [...input.content.trim().replaceAll(/\s+/g, ' ')].slice(0, 40).join('')

async function assertNewOrder(c: OrderContext, input: NewOrder): Promise<void> {
  const { app, scope, now } = c
  await assertFiles(app, scope.ownerId, 'Photos', input.photos, 'image')
  await assertFiles(app, scope.ownerId, 'Videos', input.videos, 'video')
  if (input.appointTime !== undefined && input.appointTime < now)
    throw invalidInput([{ Field: 'AppointTime', Message: '预约时间不能早于现在' }])
}

async function insertOrder(c: OrderContext, input: NewOrder, type: OrderType): Promise<WorkOrder> {
  const { tx, scope, now, today, actor } = c
  const place = await requirePlace(tx, scope, input)
  const level = input.level ?? 'normal'
  const limits = limitsOf(type, type.category, level)
  const state = type.needAudit ? 'pending' : 'waiting'
  const calendar = await loadCalendar(tx, scope.ownerId, limits)
  const clocks = computeClocks([{ action: 'register', to: state, at: now }], limits, calendar, now)
  const coveredBy = await findWarranty(c, place, type, now)
  return insert(tx, workOrder, scope, {
    ...startValues(workOrder),
    ...place,
    ...clockColumns(undefined, clocks),
    orderNo: await tx.numbers.next(scope.ownerId, orderPrefix, today),
    typeId: type.id,
    typeName: type.typeName,
    category: type.category,
    source: input.source,
    reporterId: input.reporterId,
    reporterName: input.reporterName,
    reporterPhone: input.reporterPhone,
    title: titleOf(input),
    content: input.content,
    photos: input.photos,
    videos: input.videos,
    level,
    appointTime: input.appointTime,
    state,
    registerTime: now,
    registrarId: actor.kind === 'staff' ? actor.id : undefined,
    registrarName: actor.name,
    observerIds: input.observerIds,
    isWarranty: coveredBy !== undefined,
    relatedOrderId: input.relatedOrderId ?? coveredBy,
    refType: input.ref?.type,
    refId: input.ref?.id,
    limits,
  })
}

/** A new order, with its first history row; given to somebody at once where its type says so. */
export async function register(c: OrderContext, input: NewOrder): Promise<WorkOrder> {
  const { tx, scope, now, actor } = c
  const type = await requireUsableType(tx, scope, input.typeId)
  await assertNewOrder(c, input)
  const order = await insertOrder(c, input, type)
  await assertCanRead(tx, scope.ownerId, order, order)
  await saveSearchText(tx, workOrder, scope, orderSearchText, order)
  const record = recordValues(actor, order, { action: 'register', to: order.state }, now)
  await tx.rows(sql`${insertStatement(orderRecord, scope, [record])} returning id`)
  await markConcerned(c, order)
  const title = order.state === 'pending' ? '待审核工单' : '新工单'
  await tellSubscribers(
    c,
    order,
    'registered',
    { title: `${title}：${nameOrder(order)}`, text: order.content },
    { fallback: 'dispatch' },
  )
  await tellAccounts(c, order, 'copied', (order.observerIds ?? []).map(parseId), {
    title: `抄送给你的工单：${nameOrder(order)}`,
  })
  return input.isDispatched === false ? order : dispatchAutomatically(c, order)
}

/** Why a project's type may not be used by who registers; for calls that name a type by its name. */
export async function findTypeByName(db: Db, scope: Scope, name: string): Promise<Id> {
  const found = await db.one<{ id: Id }>(sql`
    select id
    from work_order_type
    where owner_id = ${scope.ownerId}
      and (type_name = ${name} or type_code = ${name})
      and ${notDeleted()}
      and state = ${code(enabledState, 'on')}
    order by id
    limit 1
  `)
  return found?.id ?? refuse(`没有工单类型「${name}」，请使用工单设置中的类型名称`)
}
