import type { Finder, Hit } from '#kit/web/palette.ts'
import { yuan } from '#kit/web/figure.tsx'
import { send } from '#kit/web/send.ts'
import { waits, worth } from '#kit/web/waits.ts'
import type { Provides } from '#kit/web/workbench.ts'
import { listBills } from '../contract/list.ts'
import { listNotices } from '../contract/urge.ts'
import { menu } from '../module.ts'
import { seeBill, statusText } from './words.tsx'

/** A bill by its number; by anything else there are too many. */
const bills: Finder = {
  group: 'paper',
  needs: menu.bill.may.view,
  search: async (keyword, signal) => {
    if (!/^ZD\d{6,}/i.test(keyword.trim())) return []
    const { rows } = await send(
      listBills,
      { keyword, anyState: true, page: 1, size: 5 },
      { quiet: true, signal, project: 0 },
    )
    return rows.map((b): Hit => ({
      key: String(b.id),
      title: b.billNo,
      note: `${b.sourceName} · ${b.feeItemName} · ${yuan(b.unpaid, true)}`,
      aside: statusText(b),
      path: seeBill(b.billNo),
      verbs: [{ label: '看账单', path: seeBill(b.billNo), letter: 'B' }],
    }))
  },
}

export const provides: Provides = {
  finders: [bills],
  queues: [
    waits({
      key: 'bills.pending',
      title: '账单待审核',
      tone: 'todo',
      needs: menu.bill.may.audit,
      list: listBills,
      filter: { state: ['pending'] },
      path: '/finance/chargemanage/chargeList',
      view: 'pending',
      verb: '审核',
      since: b => b.createTime,
      detail: worth('合计', 'receivable'),
    }),
  ],
  counts: [
    {
      path: '/finance/chargemanage/demandmoney',
      needs: menu.notice.may.view,
      entities: ['feeNotice'],
      load: async signal => {
        const { total } = await send(
          listNotices,
          { state: ['failed'], page: 1, size: 1 },
          { quiet: true, signal },
        )
        return { n: total, urgent: true }
      },
    },
  ],
}
