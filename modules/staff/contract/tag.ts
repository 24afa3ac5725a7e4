import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, int, text } from '#kit/contract/field.ts'
import { byId, byIdsWithReason, draftOf, noData, recordOf, pageOf, search } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** Colours by their meaning in the theme, never as figures. */
export const tagColor = choiceTable('TagColor', '标签颜色', {
  grey: ['grey', '灰'],
  blue: ['blue', '蓝'],
  green: ['green', '绿'],
  amber: ['amber', '黄'],
  red: ['red', '红'],
  purple: ['purple', '紫'],
})

export const staffTag = entity(
  'staffTag',
  '员工标签',
  { table: 'staff_tag', tenancy: 'company', key: 'name', title: 'name', order: ['sort', 'name'] },
  {
    name: text('标签', { required: true, max: 20, wire: 'TagName', searchable: true }),
    color: choice('颜色', tagColor, { initial: 'grey' }),
    sort: int('排序', { min: 0, max: 999999, initial: 0 }),
  },
)

export type StaffTag = Row<typeof staffTag>

export const listStaffTags = call({
  route: 'GET NinternalTag/Get',
  title: '查询员工标签',
  needs: everyone,
  input: search(staffTag, ['name']),
  output: pageOf(staffTag),
})

export const getStaffTag = call({
  route: 'GET NinternalTag/GetOne',
  title: '查看员工标签',
  needs: everyone,
  input: byId,
  output: recordOf(staffTag),
})

export const addStaffTag = call({
  route: 'POST NinternalTag/Post',
  title: '新增员工标签',
  needs: menu.staff.permissions.edit,
  input: draftOf(staffTag),
  output: recordOf(staffTag),
  affects: ['staffTag'],
})

export const editStaffTag = call({
  route: 'PUT NinternalTag/Put',
  title: '编辑员工标签',
  needs: menu.staff.permissions.edit,
  input: draftOf(staffTag),
  output: recordOf(staffTag),
  affects: ['staffTag', 'staff'],
})

export const deleteStaffTags = call({
  route: 'DELETE NinternalTag/Delete',
  title: '删除员工标签',
  needs: menu.staff.permissions.edit,
  input: byIdsWithReason,
  output: noData,
  affects: ['staffTag', 'staff'],
})
