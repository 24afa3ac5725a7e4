import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { processState } from '../contract/choices.ts'
import { processes, setProcessState, type Process } from '../contract/process.ts'
import { menu, paths } from '../module.ts'
import { FlowChart } from './flow-chart.tsx'

const columns = buildColumns(processes.list.output, [
  { key: 'processName', identity: true, grow: 2 },
  'bizType',
  {
    key: 'nodes',
    title: '节点',
    width: 72,
    render: row => row.nodes.length,
    text: row => `${row.nodes.length}`,
  },
  'emptyPolicy',
  'timeoutHours',
  'editionNo',
  'runningCount',
  'state',
])

const remove = createReasonAction(processes.delete, {
  unit: '个审批流程',
  nameOf: (process: Process) => process.processName,
  disabledReason: process => (process.runningCount ? '还有审批中的申请' : undefined),
})

const { add, edit } = menu.process.permissions

/** 审批设置: by which nodes each kind of request is approved. */
export default function ProcessesPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={processes.list}
      itemName="审批流程"
      columns={columns}
      barFilters={['bizType', 'state']}
      isDimmed={process => process.state === 'off'}
      primaryAction={{ label: '新增流程', needs: add, run: () => void navigate(paths.design) }}
      rowActions={process => [
        { label: '编辑', needs: edit, run: () => void navigate(`${paths.design}?id=${process.id}`) },
        {
          label: process.state === 'on' ? '停用' : '启用',
          needs: edit,
          run: () =>
            sendAndInvalidate(setProcessState, {
              id: process.id,
              state: process.state === 'on' ? 'off' : 'on',
            }),
        },
        remove.row(process),
      ]}
      batchActions={[remove.batch]}
      drawer={{
        title: process => process.processName,
        status: process => <ChoiceStatus choices={processState} value={process.state} />,
        afterGroups: process => <FlowChart process={process} />,
        historyEntity: 'process',
      }}
    />
  )
}
