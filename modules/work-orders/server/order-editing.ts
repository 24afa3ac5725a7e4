import { parseId } from '#kit/domain/id.ts'
import { refuse, staleVersion } from '#kit/contract/wire.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { saveSearchText } from '#kit/server/search-column.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import type { editOrder } from '../contract/order.ts'
import { limitsOf } from '../domain/limits.ts'
import { assertCanRead } from './accounts.ts'
import { nameOrder, tellAccounts } from './notices.ts'
import type { OrderContext } from './order-context.ts'
import { loadTypes, requireUsableType } from './order-types.ts'
import { assertFiles, orderSearchText } from './registration.ts'
import { applyStep } from './transition.ts'
import { decideWarrantyAgain } from './warranty.ts'

type EditInput = NonNullable<typeof editOrder.input.T>

/**
 * A new type or level has other limits: the clocks are computed again from the beginning. Another type has
 * another warranty.
 */
async function changedLimits(
  c: OrderContext,
  order: WorkOrder,
  { level, typeId }: Pick<WorkOrder, 'level' | 'typeId'>,
) {
  if (level === order.level && typeId === order.typeId) return {}
  const type =
    typeId === order.typeId
      ? (await loadTypes(c.tx, c.scope)).get(typeId)
      : await requireUsableType(c.tx, c.scope, typeId)
  if (!type) return refuse('工单类型已被删除，请重新选择')
  return {
    level,
    typeId,
    typeName: type.typeName,
    category: type.category,
    limits: limitsOf(type, type.category, level),
    ...(typeId === order.typeId ? {} : await decideWarrantyAgain(c, order, type)),
  }
}

const isSame = (value: unknown, stored: unknown): boolean => toJson(value) === toJson(stored)
/** Nothing, an empty text and an empty list are the same. */
const toJson = (value: unknown): string =>
  value === '' || (Array.isArray(value) && !value.length) ? 'null' : JSON.stringify(value ?? null)

const describeChanges = (order: WorkOrder, input: Omit<EditInput, 'id' | 'version'>): string =>
  (
    [
      ['typeId', '类型'],
      ['level', '紧急程度'],
      ['address', '位置'],
      ['reporterName', '报事人'],
      ['reporterPhone', '联系电话'],
      ['title', '标题'],
      ['content', '内容'],
      ['photos', '图片'],
      ['videos', '视频'],
      ['appointTime', '预约时间'],
    ] as const
  )
    .filter(([key]) => !isSame(input[key], order[key]))
    .map(([, label]) => label)
    .join('、')

/**
 * What was registered is corrected, until the work is done. The input is whole: the kit has filled in what
 * was not sent, so that what is empty here was emptied. Type, level and content cannot be.
 */
export async function edit(c: OrderContext, order: WorkOrder, input: EditInput): Promise<WorkOrder> {
  if (input.version && input.version !== order.version) throw staleVersion()
  const { reporterPhone } = input
  const isMasked = reporterPhone !== undefined && maskedPattern.test(reporterPhone)
  await assertFiles(c.app, c.scope.ownerId, 'Photos', input.photos, 'image')
  await assertFiles(c.app, c.scope.ownerId, 'Videos', input.videos, 'video')
  const corrected = {
    address: input.address,
    reporterName: input.reporterName,
    reporterPhone: isMasked ? order.reporterPhone : reporterPhone,
    title: input.title,
    content: input.content ?? order.content,
    photos: input.photos,
    videos: input.videos,
    appointTime: input.appointTime,
  }
  const level = input.level ?? order.level
  const typeId = input.typeId ?? order.typeId
  const changes = describeChanges(order, { ...corrected, level, typeId })
  if (!changes) return order
  const after = await applyStep(c, order, {
    action: 'edit',
    content: `修改${changes}`,
    set: { ...corrected, ...(await changedLimits(c, order, { level, typeId })) },
  })
  await saveSearchText(c.tx, workOrder, c.scope, orderSearchText, after)
  return after
}

/** Observers read like assignees (WO-11). Those who handle the order or may dispatch it say who they are. */
export async function changeObservers(
  c: OrderContext,
  order: WorkOrder,
  input: {
    readonly observerIds?: readonly string[] | undefined
    readonly assistIds?: readonly string[] | undefined
  },
): Promise<WorkOrder> {
  await assertCanRead(c.tx, c.scope.ownerId, order, input, order)
  const known = new Set(order.observerIds ?? [])
  const after = await applyStep(c, order, {
    action: 'note',
    content: '设置抄送与协助',
    set: {
      ...(input.observerIds ? { observerIds: input.observerIds } : {}),
      ...(input.assistIds ? { assistIds: input.assistIds } : {}),
    },
  })
  const added = (input.observerIds ?? []).filter(id => !known.has(id))
  await tellAccounts(c, after, 'copied', added.map(parseId), { title: `抄送给你的工单：${nameOrder(after)}` })
  return after
}
