import { daysBetween } from '#kit/domain/day.ts'
import { runReadCall } from '#kit/server/handler.ts'
import { listQueue } from '#kit/server/list-queue.ts'
import type { WorkQueue } from '#kit/server/work-queue.ts'
import { getRenewal, listOrders } from '../contract/order.ts'
import { hasExpired } from '../domain/subscription.ts'
import { menu, paths } from '../module.ts'

/** Days before the end from which the workbench speaks of it. */
const warningDays = 30

const renewalQueue: WorkQueue = {
  key: 'renewal',
  needs: menu.renewal.permissions.add,
  entities: ['order'],
  load: async context => {
    const { expireDate, orderNo } = await runReadCall(getRenewal, undefined, context)
    const { today } = context
    if (expireDate === undefined || orderNo !== undefined || daysBetween(today, expireDate) > warningDays)
      return undefined
    const isOver = hasExpired(expireDate, today)
    return {
      title: isOver ? '公司账户已到期' : '公司账户即将到期',
      tone: isOver ? 'bad' : 'todo',
      count: 1,
      detail: expireDate,
      actionLabel: '续费',
      path: paths.renew,
    }
  },
}

export const workQueues = [
  listQueue({
    key: 'product-orders',
    title: '平台订单待支付',
    tone: 'todo',
    needs: menu.order.permissions.pay,
    list: listOrders,
    filter: { state: ['pending'] },
    path: paths.orders,
    actionLabel: '处理',
    isCompanyWide: true,
    since: 'createTime',
    sum: { label: '合计', key: 'amount' },
  }),
  renewalQueue,
]
