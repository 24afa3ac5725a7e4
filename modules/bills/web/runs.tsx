import { paths } from './paths.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { send } from '#kit/web/send.ts'
import type { BillRun } from '../contract/bill.ts'
import { listRuns, getRun } from '../contract/run.ts'
import { menu } from '../module.ts'
import { confirmUndoRun } from './undo-run.ts'

const listColumns = buildColumns(listRuns.output, [
  { key: 'batchNo', identity: true, width: 168 },
  'kind',
  'month',
  'state',
  'total',
  'made',
  'amount',
  { key: 'message', grow: 2 },
  { key: 'createTime', title: '开始时间' },
  { key: 'endTime', wideOnly: true, hidePriority: 1 },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'wizard', name: '手工出账', filter: { kind: ['wizard'] } },
  { id: 'nightly', name: '自动出账', filter: { kind: ['nightly'] } },
  { id: 'imported', name: '导入', filter: { kind: ['imported'] } },
]

function undoRefusal(run: BillRun): string | undefined {
  if (run.state === 'undone') return '已经撤销'
  if (run.state === 'waiting' || run.state === 'running') return '还在生成'
  return run.made === 0 ? '暂无账单' : undefined
}

/** All batches, with links to their bills and a way to undo them (GEN-7). */
export default function RunsPage() {
  const bills = (r: BillRun): string =>
    `${paths.bills}?projectCode=${r.projectCode}&batchNo=${r.batchNo}&anyState=1`
  return (
    <>
      <ListPage
        list={listRuns}
        itemName="出账批次"
        columns={listColumns}
        views={views}
        barFilters={['kind', 'state', 'month']}
        primaryAction={{
          label: '生成账单',
          needs: menu.bill.permissions.generate,
          run: () => navigateTo(paths.generate),
        }}
        rowActions={row => [
          { label: '查看账单', needs: menu.bill.permissions.view, run: () => navigateTo(bills(row)) },
          row.kind === 'wizard' || row.kind === 'nightly'
            ? {
                label: '出账结果',
                needs: menu.bill.permissions.generate,
                run: () => navigateTo(`${paths.generate}?run=${row.id}`),
              }
            : undefined,
          {
            label: '撤销',
            needs: menu.bill.permissions.abolish,
            danger: true,
            disabledReason: undoRefusal(row),
            run: async () => confirmUndoRun(await send(getRun, { id: row.id })),
          },
        ]}
        drawer={{ title: r => r.batchNo, historyEntity: 'billRun' }}
      />
    </>
  )
}
