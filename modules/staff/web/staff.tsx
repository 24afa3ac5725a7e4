import { parseId, type Id } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { exportStaff, importStaff, staffs, type Staff } from '../contract/staff.ts'
import { menu, staffScreens } from '../module.ts'
import { DepartmentTree } from './department-tree.tsx'
import { useStaffActions } from './staff-actions.tsx'
import { StaffTagList } from './staff-tag-list.tsx'

const { paths } = staffScreens
const { add, edit } = menu.staff.permissions

/** The department stands in the address of the list beside its filter, and in that of a new one's form. */
const useDepartment = (): Id | undefined => {
  const [at] = useSearchParams()
  return parseId(at.get('dept')) || undefined
}

function useStaffInitial() {
  const department = useDepartment()
  return {
    state: 'active' as const,
    gender: 'unknown' as const,
    isTicketSeller: false,
    ...(department ? { departmentId: department } : {}),
  }
}

/** 通讯录: the departments at the left, their people at the right. */
function useDepartmentPanel(): CrudExtras<Staff, unknown>['list'] {
  const department = useDepartment()
  const [, setAt] = useSearchParams()
  return useMemo(() => {
    const choose = (id: Id | undefined): void =>
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
    return {
      fixedFilter: department ? { departmentId: department } : {},
      sidePanel: <DepartmentTree chosen={department} onChoose={choose} />,
      primaryAction: {
        label: '新增员工',
        needs: add,
        run: () => navigateTo(`${paths.add}${department ? `?dept=${department}` : ''}`),
      },
    }
  }, [department, setAt])
}

function useStaffExtras(): CrudExtras<Staff, unknown> {
  const actions = useStaffActions()
  const list = useDepartmentPanel()
  const batch = (label: string, action: Parameters<typeof actions.open>[0]) => ({
    label,
    needs: edit,
    run: (t: { readonly rows: readonly Staff[] }) => actions.open(action, t.rows),
  })
  return {
    actions: actions.actionsOf,
    dialogs: actions.dialog,
    batch: [
      batch('调整部门', 'move'),
      batch('添加标签', 'tag'),
      batch('移除标签', 'untag'),
      {
        ...batch('离职', 'resign'),
        disabledReason: t => (t.rows.some(s => s.state === 'left') ? '勾选的人里有已离职的' : undefined),
      },
    ],
    ...(list ? { list } : {}),
  }
}

const isStillEmployed = (v: { readonly state?: string }): boolean => v.state !== 'left'

export const pages = crudPages(staffs, {
  paths,
  unit: '名员工',
  import: importStaff,
  export: exportStaff,
  useExtras: useStaffExtras,
  arrange: ({ edit: change, see, remove }, extra) => [
    change,
    ...extra,
    see && { ...see, needs: undefined },
    remove,
  ],
  deletion: { consequences: ['删除用于录错的记录；员工离开请办理离职，资料会保留'] },
  columns: [
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
  ],
  list: {
    filters: ['state', 'gender', 'staffNo', 'mobile', 'entryDate', 'isTicketSeller', 'tag'],
    barFilters: ['gender', 'isTicketSeller'],
    views: [
      { id: '', name: '在职', filter: { state: ['active', 'trial'] } },
      { id: 'trial', name: '试用', filter: { state: ['trial'] } },
      { id: 'left', name: '已离职', filter: { state: ['left'] } },
      { id: 'all', name: '全部', filter: { state: ['active', 'trial', 'left'] } },
    ],
  },
  detail: [
    { title: '基本资料', keys: ['name', 'gender', 'mobile', 'certNo', 'head'] },
    {
      title: '任职',
      keys: [
        'departmentName',
        'position',
        'staffNo',
        'entryDate',
        'state',
        { key: 'leaveDate', label: '离职日期' },
        'isTicketSeller',
        'managerId',
        { key: 'tags', label: '标签', render: s => <StaffTagList of={s.tags} /> },
      ],
    },
    { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
  ],
  form: {
    useInitial: useStaffInitial,
    groups: [
      { title: '基本资料', keys: ['name', 'mobile', 'gender', 'certNo'] },
      {
        title: '任职',
        keys: [
          'departmentId',
          'position',
          'staffNo',
          'entryDate',
          {
            key: 'state',
            wide: true,
            deriveValues: v => (v === 'left' ? undefined : { leaveDate: undefined }),
          },
          { key: 'leaveDate', isHidden: isStillEmployed },
          { key: 'isTicketSeller', help: '可以在票务里作为售票员' },
          { key: 'managerId', help: '没有账号的员工不选；一个账号只能绑定一位员工' },
        ],
      },
      { title: '其他', keys: [{ key: 'head', help: '图片，不超过 2048 KB' }, 'remark'] },
    ],
  },
})
