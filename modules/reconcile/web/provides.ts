import { count } from '#kit/web/figure.tsx'
import { listLink } from '#kit/web/list/query.ts'
import { send } from '#kit/web/send.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listItems } from '../contract/bill.ts'
import { menu } from '../module.ts'

const path = '/finance/chargemanage/reconcile/items'
export const provides: Provides = {
  queues: [{
    key: 'reconcile', needs: menu.reconcile.may.handle,
    load: async signal => {
      const { total } = await send(listItems, { page: 1, size: 1, state: ['pending', 'escalated'] }, { quiet: true, project: 0, signal })
      return total ? [{ key: 'reconcile', title: '渠道对账差异', tone: 'bad', count: total, detail: `${count(total)} 笔待处理`, verb: '去处理', path: listLink(path, listItems, { state: ['pending', 'escalated'] }) }] : []
    },
  }],
}
