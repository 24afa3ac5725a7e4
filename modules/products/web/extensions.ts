import { daysBetween } from '#kit/domain/day.ts'
import { send } from '#kit/web/send.ts'
import { today } from '#kit/web/date-format.ts'
import { createListQueue, queueSumText } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { listOrders, getRenewal } from '../contract/order.ts'
import { hasExpired } from '../domain/subscription.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'

/** Days before the end from which the workbench speaks of it. */
const warningDays = 30

export const extensions: Extensions = {
  queues: [
    createListQueue({
      key: 'product-orders',
      title: '平台订单待支付',
      tone: 'todo',
      needs: menu.order.permissions.view,
      list: listOrders,
      filter: { state: ['pending'] },
      path: paths.orders,
      actionLabel: '去处理',
      isCompanyWide: true,
      waitingSince: o => o.createTime,
      detail: queueSumText(),
    }),
    {
      key: 'renewal',
      needs: menu.renewal.permissions.view,
      load: async signal => {
        const { expireDate, orderNo } = await send(getRenewal, undefined, { quiet: true, project: 0, signal })
        const now = today()
        if (expireDate === undefined || orderNo !== undefined || daysBetween(now, expireDate) > warningDays)
          return []
        return [
          {
            key: 'renewal',
            title: hasExpired(expireDate, now) ? '公司账户已到期' : '公司账户即将到期',
            tone: hasExpired(expireDate, now) ? 'bad' : 'todo',
            count: 1,
            detail: expireDate,
            actionLabel: '续费',
            path: paths.renew,
          },
        ]
      },
    },
  ],
}
