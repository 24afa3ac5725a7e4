import { Link } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import type { WorkStep } from '../contract/task.ts'
import type { PlannedSpec } from './kind-spec.ts'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'failed', name: '不合格', filter: { verdict: ['failed'] } },
  { id: 'missed', name: '漏检', filter: { result: ['missed'] } },
  { id: 'findings', name: '异常', filter: { isAbnormal: true } },
] as const

/** What came of each item of each task of a kind; each leads to its task. */
export function KindRecords({ spec }: { readonly spec: PlannedSpec }) {
  const { calls, names, paths, targetLabel } = spec
  const taskOf = ({ taskId }: WorkStep): string => `${paths.task}?id=${taskId}`
  return (
    <ListPage
      list={calls.listRecords}
      itemName={names.record}
      columns={buildColumns(calls.listRecords.output, [
        { key: 'stepName', title: '检查项', identity: true, grow: 2 },
        { key: 'targetName', title: targetLabel, grow: 2 },
        {
          key: 'planName',
          grow: 1,
          render: step => <Link to={taskOf(step)}>{step.planName}</Link>,
          text: step => step.planName ?? '',
        },
        'taskDate',
        { key: 'dueTime', wideOnly: true },
        { key: 'signTime', fitContent: true },
        'result',
        'verdict',
        { key: 'value', hidePriority: 2 },
        'assigneeNames',
        { key: 'staffName', wideOnly: true },
        'isAbnormal',
        { key: 'workOrderNo', hidePriority: 1 },
      ])}
      views={views}
      filters={['taskDate', 'result', 'verdict', 'isAbnormal', 'staffId']}
      barFilters={['taskDate', 'verdict', 'staffId']}
      export={calls.exportRecords}
      drawer={{
        title: ({ targetName, planName, stepName }) => `${targetName ?? planName} ${stepName}`,
        actions: step => [
          { label: '查看任务', needs: calls.permissions.view, run: () => navigateTo(taskOf(step)) },
        ],
      }}
    />
  )
}
