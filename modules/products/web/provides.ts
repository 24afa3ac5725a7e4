import { daysBetween } from '#kit/domain/day.ts'
import { send } from '#kit/web/send.ts'
import { today } from '#kit/web/when.ts'
import { waits, worth } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listOrders, renewal } from '../contract/order.ts'
import { hasExpired } from '../domain/subscription.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'

/** Days before the end from which the workbench speaks of it. */
const soon = 30

export const provides: Provides = {
  queues: [
    waits({
      key: 'product-orders',
      title: '平台订单待支付',
      tone: 'todo',
      needs: menu.order.may.view,
      list: listOrders,
      filter: { state: ['pending'] },
      path: places.bills,
      verb: '去处理',
      company: true,
      since: o => o.createTime,
      detail: worth(),
    }),
    {
      key: 'renewal',
      needs: menu.renewal.may.view,
      load: async signal => {
        const { expireDate, orderNo } = await send(renewal, undefined, { quiet: true, project: 0, signal })
        const now = today()
        if (expireDate === undefined || orderNo !== undefined || daysBetween(now, expireDate) > soon)
          return []
        return [
          {
            key: 'renewal',
            title: hasExpired(expireDate, now) ? '公司账户已到期' : '公司账户即将到期',
            tone: hasExpired(expireDate, now) ? 'bad' : 'todo',
            count: 1,
            detail: expireDate,
            verb: '续费',
            path: places.renew,
          },
        ]
      },
    },
  ],
}
