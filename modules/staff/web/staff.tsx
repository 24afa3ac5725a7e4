import { useAddressValue } from '#kit/web/address-value.ts'
import { parseId } from '#kit/domain/id.ts'
import { useMemo } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { today } from '#kit/web/date-format.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { finger } from '../contract/labels.ts'
import {
  exportStaff,
  importStaff,
  moveStaff,
  resignStaff,
  staffs,
  tagStaff,
  untagStaff,
  updateStaffAvatar,
  type Staff,
} from '../contract/staff.ts'
import { menu, paths as modulePaths, staffScreens } from '../module.ts'
import { DepartmentTree } from './department-tree.tsx'
import { StaffTagList } from './staff-tag-list.tsx'

const { paths } = staffScreens

/** The department is in the address of the list beside its filter, and in that of a new one's form. */
function useDepartment() {
  const [value, setValue] = useAddressValue('dept', { without: 'page' })
  return [parseId(value) || undefined, setValue] as const
}

function useStaffInitial() {
  const [departmentId] = useDepartment()
  return {
    state: 'active' as const,
    gender: 'unknown' as const,
    isTicketSeller: false,
    ...(departmentId ? { departmentId } : {}),
  }
}

/** 通讯录: the departments at the left, their people at the right. */
function useDepartmentPanel(): CrudExtras<Staff, unknown> {
  const [department, setDepartment] = useDepartment()
  return useMemo(
    () => ({
      list: {
        fixedFilter: department ? { departmentId: department } : {},
        sidePanel: (
          <DepartmentTree
            chosen={department}
            onChoose={id => setDepartment(id === undefined ? id : String(id))}
          />
        ),
        primaryAction: {
          label: '新增员工',
          needs: staffs.permissions.add,
          run: () => navigateTo(`${paths.add}${department ? `?dept=${department}` : ''}`),
        },
      },
    }),
    [department, setDepartment],
  )
}

const FingerprintDialog = lazyComponent(
  async () => (await import('./fingerprint-dialog.tsx')).FingerprintDialog,
)

const fingerNames = ({ fingers = [] }: Staff): string =>
  fingers.map(({ fingerNo }) => labelOf(finger, fingerNo)).join('、') || emptyPlaceholder

const isStillEmployed = (v: { readonly state?: string }): boolean => v.state !== 'left'

export const pages = crudPages(staffs, {
  paths,
  unit: '名员工',
  import: importStaff,
  export: exportStaff,
  actions: [
    {
      label: '采集指纹',
      needs: menu.staff.permissions.fingerprint,
      isOffered: isStillEmployed,
      dialog: ({ of: [staff], onClose }) => staff && <FingerprintDialog of={staff} onClose={onClose} />,
    },
    {
      label: '调整部门',
      call: moveStaff,
      keys: ['departmentId'],
      initial: s => ({ departmentId: s?.departmentId }),
      below: () => <p className="staff-note">所任原部门的负责人会空出。</p>,
      batch: true,
    },
    {
      label: '添加标签',
      call: tagStaff,
      keys: [{ key: 'tags', wide: true, help: '标签在「员工标签」中维护' }],
      batch: true,
    },
    {
      label: '移除标签',
      call: untagStaff,
      keys: [{ key: 'tags', wide: true }],
      initial: s => ({ tags: s?.tags }),
      isOffered: s => s.tags !== undefined && s.tags.length > 0,
      batch: true,
    },
    {
      label: '离职',
      call: resignStaff,
      keys: ['leaveDate', 'reason'],
      initial: () => ({ leaveDate: today() }),
      submitLabel: '办理离职',
      doneText: '已办理离职',
      isOffered: s => s.state !== 'left',
      batch: people => (people.some(s => s.state === 'left') ? '勾选的人里有已离职的' : undefined),
      below: people => (
        <p className="staff-note">
          离职后不再出现在选人控件中，所任的部门负责人会空出。
          {people.some(s => s.managerId) ? '登录账号不会自动停用，请到「管理员」办理离职交接。' : ''}
        </p>
      ),
    },
    {
      label: '更换头像',
      call: updateStaffAvatar,
      keys: [{ key: 'head', help: '图片，不超过 2048 KB' }],
      initial: s => ({ head: s?.head }),
      submitLabel: '保存',
    },
  ],
  toolbar: [{ label: '名片', run: () => navigateTo(modulePaths.cards) }],
  useExtras: useDepartmentPanel,
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
    { key: 'leaveDate', hiddenByDefault: true },
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
        'leaveDate',
        'isTicketSeller',
        'managerId',
        { key: 'tags', label: '标签', render: s => <StaffTagList of={s.tags} /> },
        { key: 'fingers', render: s => fingerNames(s) },
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
          { key: 'isTicketSeller', help: '可在票务中作为售票员' },
          { key: 'managerId', help: '没有账号的员工不填；一个账号只能绑定一位员工' },
        ],
      },
      { title: '其他', keys: [{ key: 'head', help: '图片，不超过 2048 KB' }, 'remark'] },
    ],
  },
})
