import { columns } from '#kit/web/columns.tsx'
import { go } from '#kit/web/go.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { send } from '#kit/web/send.ts'
import type { BillRun } from '../contract/bill.ts'
import { listRuns, oneRun } from '../contract/run.ts'
import { menu } from '../module.ts'
import { undoBatch } from './undo.ts'

const at = '/finance/chargemanage/chargeList/generate'

const shown = columns(listRuns.output, [
  { key: 'batchNo', identity: true, width: 168 },
  'kind',
  'month',
  'state',
  'total',
  'made',
  'amount',
  { key: 'message', grow: 2 },
  { key: 'createTime', title: '开始时间' },
  { key: 'endTime', roomy: true, drop: 1 },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'wizard', name: '手工出账', filter: { kind: ['wizard'] } },
  { id: 'nightly', name: '自动出账', filter: { kind: ['nightly'] } },
  { id: 'imported', name: '导入', filter: { kind: ['imported'] } },
]

/** All batches: whoever or whatever made the bills, with the way to them and the way back (GEN-7). */
export default function RunsPage() {
  const bills = (r: BillRun): string =>
    `/finance/chargemanage/chargeList?projectCode=${r.projectCode}&batchNo=${r.batchNo}&anyState=1`
  return (
    <>
      <ListPage
        list={listRuns}
        what="出账批次"
        columns={shown}
        views={views as never}
        bar={['kind', 'state', 'month']}
        primary={{ label: '生成账单', may: menu.bill.may.generate, run: () => go(at) }}
        row={r => [
          { label: '查看账单', may: menu.bill.may.view, run: () => go(bills(r)) },
          r.kind === 'wizard' || r.kind === 'nightly'
            ? { label: '出账结果', may: menu.bill.may.generate, run: () => go(`${at}?run=${r.id}`) }
            : undefined,
          {
            label: '撤销',
            may: menu.bill.may.abolish,
            danger: true,
            why:
              r.state === 'undone'
                ? '已经撤销'
                : r.state === 'waiting' || r.state === 'running'
                  ? '还在生成'
                  : r.made === 0
                    ? '没有账单'
                    : undefined,
            run: async () => undoBatch(await send(oneRun, { id: r.id })),
          },
        ]}
        drawer={{ title: r => r.batchNo, history: 'billRun' }}
      />
    </>
  )
}
