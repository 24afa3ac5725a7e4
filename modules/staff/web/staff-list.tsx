import { useNavigate, useSearchParams } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { exportStaff, importStaff, listStaff, getStaff, staff, type Staff } from '../contract/staff.ts'
import { staffState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { deleteStaffAction, useStaffActions } from './staff-actions.tsx'
import { DepartmentTree } from './department-tree.tsx'
import { detailGroups } from './field-groups.tsx'
import { paths, getStaffDetailPath } from './paths.ts'
import { StaffTagList } from './staff-tag-list.tsx'

const listColumns = buildColumns(listStaff.output, [
  { key: 'name', identity: true },
  { key: 'staffNo', hidePriority: 2 },
  'departmentId',
  'position',
  { key: 'mobile', fitContent: true },
  { key: 'gender', hidePriority: 1 },
  { key: 'entryDate', hidePriority: 2 },
  {
    key: 'tags',
    width: 132,
    grow: 1,
    render: s => <StaffTagList of={s.tags} />,
    text: s => s.tags?.join('、') ?? '',
    hidePriority: 3,
  },
  { key: 'isTicketSeller', hiddenByDefault: true },
  { key: 'leaveDate', title: '离职日期', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '在职', filter: { state: ['active', 'trial'] } },
  { id: 'trial', name: '试用', filter: { state: ['trial'] } },
  { id: 'left', name: '已离职', filter: { state: ['left'] } },
  { id: 'all', name: '全部', filter: { state: ['active', 'trial', 'left'] } },
]

/**
 * 通讯录: the departments at the left, their people at the right. The department stands in the address beside
 * the filter.
 */
export default function StaffListPage() {
  const navigate = useNavigate()
  const [at, setAt] = useSearchParams()
  const department = Number(at.get('dept')) || undefined
  const deeds = useStaffActions()
  const edit = menu.staff.permissions.edit
  const choose = (id: number | undefined): void =>
    setAt(
      was => {
        const now = new URLSearchParams(was)
        now.delete('page')
        if (id) {
          now.set('dept', String(id))
        } else {
          now.delete('dept')
        }
        return now
      },
      { replace: true },
    )
  const verbs = (s: Staff): Actions => [
    { label: '编辑', needs: edit, run: () => navigate(`${paths.edit}?id=${s.id}`) },
    ...deeds.verbs(s),
    { label: '查看详情', run: () => navigate(getStaffDetailPath(s.id)) },
    deleteStaffAction.row(s),
  ]
  return (
    <>
      <ListPage
        list={listStaff}
        itemName="员工"
        columns={listColumns}
        fixedFilter={department ? { departmentId: department } : {}}
        filters={['state', 'gender', 'staffNo', 'mobile', 'entryDate', 'isTicketSeller', 'tag']}
        barFilters={['gender', 'isTicketSeller']}
        views={views}
        sidePanel={<DepartmentTree chosen={department} onChoose={choose} />}
        import={importStaff}
        export={exportStaff}
        primaryAction={{
          label: '新增员工',
          needs: menu.staff.permissions.add,
          run: () => navigate(`${paths.add}${department ? `?dept=${department}` : ''}`),
        }}
        rowActions={verbs}
        isDimmed={s => s.state === 'left'}
        batchActions={[
          { label: '调整部门', needs: edit, run: t => deeds.open('move', t.rows) },
          { label: '加标签', needs: edit, run: t => deeds.open('tag', t.rows) },
          { label: '去掉标签', needs: edit, run: t => deeds.open('untag', t.rows) },
          {
            label: '离职',
            needs: edit,
            disabledReason: t => (t.rows.some(s => s.state === 'left') ? '勾选的人里有已离职的' : undefined),
            run: t => deeds.open('leave', t.rows),
          },
          deleteStaffAction.batch,
        ]}
        drawer={{
          title: s => s.name,
          status: s => <ChoiceStatus choices={staffState} value={s.state} />,
          loadCall: getStaff,
          groups: detailGroups,
          historyEntity: staff.name,
          openAsPage: s => void navigate(getStaffDetailPath(s.id)),
          actions: verbs,
        }}
      />
      {deeds.dialog}
    </>
  )
}
