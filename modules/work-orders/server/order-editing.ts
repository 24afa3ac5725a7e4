import { parseId } from '#kit/domain/id.ts'
import { refuse, staleVersion } from '#kit/contract/wire.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import { saveSearchText } from '#kit/server/search-column.ts'
import { workOrder, type WorkOrder } from '../contract/work-order.ts'
import type { editOrder } from '../contract/order.ts'
import { limitsOf } from '../domain/limits.ts'
import { assertAccounts } from './accounts.ts'
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
async function changedLimits(c: OrderContext, order: WorkOrder, input: EditInput) {
  const level = input.level ?? order.level
  const typeId = input.typeId ?? order.typeId
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

const describeChanges = (order: WorkOrder, input: EditInput): string =>
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
    .filter(([key]) => input[key] !== undefined && JSON.stringify(input[key]) !== JSON.stringify(order[key]))
    .map(([, label]) => label)
    .join('、')

/** What was registered is corrected, until the work is done; what is not sent stays. */
export async function edit(c: OrderContext, order: WorkOrder, input: EditInput): Promise<WorkOrder> {
  if (input.version && input.version !== order.version) throw staleVersion()
  const { reporterPhone } = input
  const isMasked = reporterPhone !== undefined && maskedPattern.test(reporterPhone)
  await assertFiles(c.app, c.scope.ownerId, 'Photos', input.photos, 'image')
  await assertFiles(c.app, c.scope.ownerId, 'Videos', input.videos, 'video')
  const changes = describeChanges(order, isMasked ? { ...input, reporterPhone: undefined } : input)
  if (!changes) return order
  const ownChanges = {
    address: input.address ?? order.address,
    reporterName: input.reporterName ?? order.reporterName,
    reporterPhone: isMasked ? order.reporterPhone : (reporterPhone ?? order.reporterPhone),
    title: input.title ?? order.title,
    content: input.content ?? order.content,
    photos: input.photos ?? order.photos,
    videos: input.videos ?? order.videos,
    appointTime: input.appointTime ?? order.appointTime,
  }
  const after = await applyStep(c, order, {
    action: 'edit',
    content: `修改${changes}`,
    set: { ...ownChanges, ...(await changedLimits(c, order, input)) },
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
  await assertAccounts(c.tx, c.scope.ownerId, 'ObserverIDs', input.observerIds ?? [])
  await assertAccounts(c.tx, c.scope.ownerId, 'AssistIDs', input.assistIds ?? [])
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
