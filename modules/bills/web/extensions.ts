import type { Finder, Hit } from '#kit/web/command-palette.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { send } from '#kit/web/send.ts'
import { createListQueue, queueSumText } from '#kit/web/list-queue.ts'
import type { Extensions } from '#kit/web/workbench.ts'
import { roomChangeNotices } from '#modules/rooms/web/public.tsx'
import { listBills } from '../contract/list.ts'
import { listNotices } from '../contract/reminder.ts'
import { menu } from '../module.ts'
import { billPath, statusText } from './labels.tsx'

/** A bill by its number; by anything else there are too many. */
const billFinder: Finder = {
  group: 'paper',
  needs: menu.bill.permissions.view,
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
      note: `${b.sourceName} · ${b.feeItemName} · ${displayYuan(b.unpaid, true)}`,
      trailing: statusText(b),
      path: billPath(b.billNo),
      actions: [{ label: '查看账单', path: billPath(b.billNo), letter: 'B' }],
    }))
  },
}

roomChangeNotices.provide(async room => (await import('./misfit-notice.tsx')).showMisfitBills(room))

export const extensions: Extensions = {
  finders: [billFinder],
  queues: [
    createListQueue({
      key: 'bills.pending',
      title: '账单待审核',
      tone: 'todo',
      needs: menu.bill.permissions.audit,
      list: listBills,
      filter: { state: ['pending'] },
      path: '/finance/chargemanage/chargeList',
      view: 'pending',
      actionLabel: '审核',
      waitingSince: b => b.createTime,
      detail: queueSumText('合计', 'receivable'),
    }),
  ],
  counts: [
    {
      path: '/finance/chargemanage/demandmoney',
      needs: menu.notice.permissions.view,
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
