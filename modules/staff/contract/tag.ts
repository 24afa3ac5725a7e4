import { everyone } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity } from '#kit/contract/entity.ts'
import { choice, choiceTable, int, text, type Rule } from '#kit/contract/field.ts'
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

/** Tags are sent and shown as one text, parted by these signs. */
const tagNameRule: Rule = {
  name: 'tagName',
  test: value => (/[,，、]/.test(value) ? '标签不能含有逗号、顿号' : undefined),
}

export const staffTag = entity(
  'staffTag',
  '员工标签',
  { table: 'staff_tag', tenancy: 'company', key: 'name', title: 'name', order: ['sort', 'name'] },
  {
    name: text('标签', { required: true, max: 20, rule: tagNameRule, wire: 'TagName', searchable: true }),
    color: choice('颜色', tagColor, { initial: 'grey' }),
    sort: int('排序', { min: 0, max: 999999, initial: 0 }),
  },
)

const { view, edit } = menu.staff.permissions

export const staffTags = crud(staffTag, {
  path: 'NinternalTag',
  // Who may edit staff keeps their tags.
  permissions: { view, add: edit, edit, del: edit },
  itemName: '标签',
  filters: ['name'],
  list: { needs: everyone },
  get: { needs: everyone },
  edit: { affects: ['staff'] },
  delete: { affects: ['staff'] },
})
