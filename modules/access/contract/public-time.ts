import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choices, day, lookup, ref, text } from '#kit/contract/field.ts'
import { calendarYears, clockRule } from '#kit/contract/rules.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { weekDay } from './choices.ts'

/** When a door is free for all (ACS-7). */
export const publicTime = entity(
  'doorwayPublicTime',
  '常开时段',
  { table: 'doorway_public_time', tenancy: 'project', title: 'doorwayName', order: ['doorwayId', 'id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('doorwayId'),
    doorwayId: ref('门', 'doorway', {
      required: true,
      immutable: true,
      wire: ['DoorwayID', 'DoorwayId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    doorwayName: lookup('门', 'doorwayId', 'doorwayName', { searchable: true, wire: 'DoorName' }),
    weekDays: choices('星期', weekDay, {
      required: true,
      initial: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      hiddenIn: ['filter'],
    }),
    beginTime: text('起', { required: true, max: 5, rule: clockRule, hiddenIn: ['filter'] }),
    endTime: text('止', {
      required: true,
      max: 5,
      rule: clockRule,
      help: '不晚于开始时间为次日',
      hiddenIn: ['filter'],
    }),
    effectiveFrom: day('生效', { rule: calendarYears, hiddenIn: ['filter'] }),
    effectiveTo: day('失效', { rule: calendarYears, help: '当天仍有效；不填为长期', hiddenIn: ['filter'] }),
  },
)

export type PublicTime = Row<typeof publicTime>

export const publicTimes = crud(publicTime, {
  path: 'DoorwayDevicePublicTime',
  permissions: menu.publicTime.permissions,
  filters: ['doorwayId'],
  edit: { route: 'PUT DoorwayDevicePublicTime/put' },
})
