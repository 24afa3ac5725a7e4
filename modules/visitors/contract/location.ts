import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, list, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { idRule } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** A gatehouse where visitors are received, with the doors beside it. */
export const visitorLocation = entity(
  'visitorLocation',
  '门岗',
  { table: 'visitor_location', tenancy: 'project', title: 'locationName', order: ['id'] },
  {
    projectCode: estateField(),
    locationName: text('门岗', { required: true, max: 40, searchable: true, wire: 'LocationName' }),
    doorwayIds: {
      ...list('门', { max: 50, rule: idRule, wire: 'DoorwayIDs', hiddenIn: ['table', 'filter', 'sheet'] }),
      target: 'doorway',
      targetBy: 'id' as const,
    },
    phone: text('电话', { max: 20, rule: rules.phone, hiddenIn: ['filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['filter'] }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type VisitorLocation = Row<typeof visitorLocation>

export const visitorLocations = crud(visitorLocation, {
  path: 'visitor/v1/LocaltionConfig',
  permissions: menu.setting.permissions,
  operations: ['list', 'save', 'delete'],
  filters: ['state'],
})

export const pickLocations = pickerOf(visitorLocation, {
  route: 'GET visitor/v1/LocaltionConfig/GetPick',
  title: '选择门岗',
  fields: ['id', 'locationName', 'state'],
  search: { ids: idsFilter },
})
