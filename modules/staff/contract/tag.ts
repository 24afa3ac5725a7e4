import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choiceTable, int, text } from '#kit/contract/field.ts'
import { byId, byIdsWhy, draftOf, nothing, oneOf, pageOf, search } from '#kit/contract/shape.ts'
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
  { table: 'staff_tag', reach: 'company', key: 'name', title: 'name', order: ['sort', 'name'] },
  {
    name: text('标签', { required: true, max: 20, wire: 'TagName', sought: true }),
    color: choice('颜色', tagColor, { initial: 'grey' }),
    sort: int('排序', { min: 0, max: 999999, initial: 0 }),
  },
)

export type StaffTag = Row<typeof staffTag>

export const listTags = call({
  at: 'GET NinternalTag/Get',
  title: '查询员工标签',
  needs: everyone,
  input: search(staffTag, ['name']),
  output: pageOf(staffTag),
})

export const oneTag = call({
  at: 'GET NinternalTag/GetOne',
  title: '查看员工标签',
  needs: everyone,
  input: byId,
  output: oneOf(staffTag),
})

export const addTag = call({
  at: 'POST NinternalTag/Post',
  title: '新增员工标签',
  needs: menu.staff.may.edit,
  input: draftOf(staffTag),
  output: oneOf(staffTag),
  affects: ['staffTag'],
})

export const editTag = call({
  at: 'PUT NinternalTag/Put',
  title: '编辑员工标签',
  needs: menu.staff.may.edit,
  input: draftOf(staffTag),
  output: oneOf(staffTag),
  affects: ['staffTag', 'staff'],
})

export const deleteTags = call({
  at: 'DELETE NinternalTag/Delete',
  title: '删除员工标签',
  needs: menu.staff.may.edit,
  input: byIdsWhy,
  output: nothing,
  affects: ['staffTag', 'staff'],
})
