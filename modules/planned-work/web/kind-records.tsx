import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { PlannedSpec } from './kind-spec.ts'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'failed', name: '不合格', filter: { verdict: ['failed'] } },
  { id: 'missed', name: '漏检', filter: { result: ['missed'] } },
  { id: 'findings', name: '异常', filter: { isAbnormal: true } },
] as const

/** What came of each item of each task of a kind. */
export function KindRecords({ spec: { calls, names } }: { readonly spec: PlannedSpec }) {
  return (
    <ListPage
      list={calls.listRecords}
      itemName={names.record}
      columns={buildColumns(calls.listRecords.output, [
        { key: 'stepName', title: '检查项', identity: true, grow: 2 },
        { key: 'planName', grow: 1 },
        'taskDate',
        { key: 'dueTime', wideOnly: true },
        { key: 'signTime', fitContent: true },
        'result',
        'verdict',
        { key: 'value', hidePriority: 2 },
        'staffName',
        'isAbnormal',
        { key: 'workOrderNo', hidePriority: 1 },
      ])}
      views={views}
      filters={['taskDate', 'result', 'verdict', 'isAbnormal', 'staffId']}
      barFilters={['taskDate', 'verdict', 'staffId']}
      export={calls.exportRecords}
      drawer={{ title: record => record.stepName }}
    />
  )
}
