import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { listPatrolOfficers } from '../contract/plan.ts'
import { paths } from '../module.ts'

type Officer = NonNullable<typeof listPatrolOfficers.output.T>['rows'][number]

const stateText = ({ canWalk, hasAccount }: Officer): string => {
  if (canWalk) return '可现场巡更'
  return hasAccount ? '无现场巡更权限' : '未关联登录账号'
}

const columns = buildColumns<Officer>(listPatrolOfficers.output, [
  { key: 'name', identity: true, grow: 1 },
  { key: 'departmentName', grow: 1 },
  'position',
  'planCount',
  'todayTasks',
  'openTasks',
  {
    key: 'canWalk',
    title: '手机巡更',
    width: 144,
    render: officer => <Status tone={officer.canWalk ? 'done' : 'todo'}>{stateText(officer)}</Status>,
    text: stateText,
  },
])

/** 巡更人员: who can be given rounds, and what each has to do today. */
export default function OfficersPage() {
  const navigate = useNavigate()
  return (
    <ListPage
      list={listPatrolOfficers}
      itemName="员工"
      columns={columns}
      filters={[]}
      keywordPlaceholder="姓名、工号"
      rowActions={officer => [
        { label: '巡更任务', run: () => void navigate(`${paths.tasks}?staffId=${officer.id}`) },
        { label: '巡更计划', run: () => void navigate(`${paths.plans}?staffId=${officer.id}`) },
      ]}
    />
  )
}
