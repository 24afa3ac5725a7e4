import { useNavigate, useSearchParams } from 'react-router'
import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { exportStaff, importStaff, listStaff, oneStaff, staff, type Staff } from '../contract/staff.ts'
import { staffState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { remove, useDeeds } from './deeds.tsx'
import { DepartmentTree } from './department-tree.tsx'
import { shownGroups } from './groups.tsx'
import { places, seeStaff } from './places.ts'
import { Tags } from './tag-mark.tsx'

const shown = columns(listStaff.output, [
  { key: 'name', identity: true },
  { key: 'staffNo', drop: 2 },
  'departmentId',
  'position',
  { key: 'mobile', fit: true },
  { key: 'gender', drop: 1 },
  { key: 'entryDate', drop: 2 },
  {
    key: 'tags',
    width: 132,
    grow: 1,
    render: s => <Tags of={s.tags} />,
    text: s => s.tags?.join('、') ?? '',
    drop: 3,
  },
  { key: 'isTicketSeller', aside: true },
  { key: 'leaveDate', title: '离职日期', aside: true },
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
export default function AddressListPage() {
  const navigate = useNavigate()
  const [at, setAt] = useSearchParams()
  const department = Number(at.get('dept')) || undefined
  const deeds = useDeeds()
  const edit = menu.staff.may.edit
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
  const verbs = (s: Staff): Verbs => [
    { label: '编辑', may: edit, run: () => navigate(`${places.edit}?id=${s.id}`) },
    ...deeds.verbs(s),
    { label: '查看详情', run: () => navigate(seeStaff(s.id)) },
    remove.row(s),
  ]
  return (
    <>
      <ListPage
        list={listStaff}
        what="员工"
        columns={shown}
        fixed={department ? { departmentId: department } : {}}
        filters={['state', 'gender', 'staffNo', 'mobile', 'entryDate', 'isTicketSeller', 'tag']}
        bar={['gender', 'isTicketSeller']}
        views={views}
        beside={<DepartmentTree chosen={department} onChoose={choose} />}
        import={importStaff}
        export={exportStaff}
        primary={{
          label: '新增员工',
          may: menu.staff.may.add,
          run: () => navigate(`${places.add}${department ? `?dept=${department}` : ''}`),
        }}
        row={verbs}
        dim={s => s.state === 'left'}
        batch={[
          { label: '调整部门', may: edit, run: t => deeds.open('move', t.rows) },
          { label: '加标签', may: edit, run: t => deeds.open('tag', t.rows) },
          { label: '去掉标签', may: edit, run: t => deeds.open('untag', t.rows) },
          {
            label: '离职',
            may: edit,
            why: t => (t.rows.some(s => s.state === 'left') ? '勾选的人里有已离职的' : undefined),
            run: t => deeds.open('leave', t.rows),
          },
          remove.batch,
        ]}
        drawer={{
          title: s => s.name,
          status: s => <Choice of={staffState} value={s.state} />,
          one: oneStaff,
          groups: shownGroups,
          history: staff.name,
          page: s => void navigate(seeStaff(s.id)),
          verbs,
        }}
      />
      {deeds.dialog}
    </>
  )
}
