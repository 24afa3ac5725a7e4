import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import type { Staff } from '../contract/staff.ts'
import { StaffTagList } from './staff-tag-list.tsx'

const isStillEmployed = (v: { readonly state?: string }): boolean => v.state !== 'left'

export const formGroups: readonly FormFieldGroup[] = [
  { title: '基本资料', keys: ['name', 'mobile', 'gender', 'certNo'] },
  {
    title: '任职',
    keys: [
      'departmentId',
      'position',
      'staffNo',
      'entryDate',
      { key: 'state', wide: true, deriveValues: v => (v === 'left' ? undefined : { leaveDate: undefined }) },
      { key: 'leaveDate', isHidden: isStillEmployed },
      { key: 'isTicketSeller', help: '可以在票务里作为售票员' },
      { key: 'managerId', help: '没有账号的员工不选；一个账号只能绑定一位员工' },
    ],
  },
  { title: '其他', keys: [{ key: 'head', help: '图片，不超过 2048 KB' }, 'remark'] },
]

export const detailGroups: readonly DetailGroup<Staff>[] = [
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
]
