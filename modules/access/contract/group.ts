import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, idOf, int, lines, list, text } from '#kit/contract/field.ts'
import { clockRule } from '#kit/contract/rules.ts'
import { extendShape, idRule, noData, pageOf, search, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import { menu } from '../module.ts'
import { groupScope, weekDay } from './choices.ts'
import { doorway } from './doorway.ts'

const inDetail = { hiddenIn: ['table', 'filter', 'sheet'] } as const

export const maxGroupDoorways = 500

/** Every day where no day is named; an end that is not after the beginning is on the next day. */
export const windowFields = {
  weekDays: choices('星期', weekDay, { wire: 'WeekDays' }),
  begin: text('起', { required: true, max: 5, rule: clockRule, wire: 'BeginTime' }),
  end: text('止', { required: true, max: 5, rule: clockRule, wire: 'EndTime' }),
} as const

export const doorwayList = {
  ...list('门', { required: true, max: maxGroupDoorways, rule: idRule, wire: ['DoorwayIDs', 'DoorwayIds'] }),
  target: 'doorway',
  targetBy: 'id' as const,
}

/** Doors that are granted together, to whom, and when they may be opened (ACS-2). */
export const doorwayGroup = entity(
  'doorwayGroup',
  '门组',
  { table: 'doorway_group', tenancy: 'project', title: 'groupName', order: ['id'] },
  {
    projectCode: estateField(),
    groupName: text('组名', { required: true, max: 40, searchable: true }),
    doorwayIds: { ...doorwayList, ...inDetail },
    doorwayCount: int('门数', { derived: true, wire: 'DoorCount', hiddenIn: ['form', 'filter', 'sheet'] }),
    scopeType: choice('适用', groupScope, { required: true, initial: 'manual' }),
    buildCodes: {
      ...list('楼栋', { max: 200, wire: 'Buildcodes', ...inDetail }),
      target: 'building',
      targetBy: 'key' as const,
    },
    unitNames: list('单元', { max: 50, wire: 'Unitnames', ...inDetail }),
    defaultForRole: choices('默认授予', relation, {
      wire: 'DefaultForRole',
      help: '这些关系的住户默认可开；不选为全部',
      hiddenIn: ['table', 'filter'],
    }),
    windows: lines('时间段', windowFields, {
      max: 20,
      wire: ['TimeJson', 'Windows'],
      help: '不填为全天',
      ...inDetail,
    }),
    remark: text('备注', { max: 200, ...inDetail }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type DoorwayGroup = Row<typeof doorwayGroup>

const { permissions } = menu.group

export const doorwayGroups = crud(doorwayGroup, {
  path: 'DoorwayGroup',
  permissions,
  filters: ['scopeType', 'state'],
})

export const pickGroups = pickerOf(doorwayGroup, {
  route: 'GET DoorwayGroup/GetPick',
  title: '选择门组',
  fields: ['id', 'groupName', 'scopeType', 'state'],
  search: { ids: idsFilter },
})

const groupIdField = idOf('门组', { required: true, min: 1, wire: ['GroupID', 'DoorwayGroupID'] })
const ofGroup = extendShape(search(doorway, ['buildCode', 'direction', 'passageType', 'state']), {
  groupId: groupIdField,
})

export const listBoundDoorways = call({
  route: 'GET Doorway/GetbindDoorWay',
  title: '门组的门',
  needs: permissions.view,
  input: ofGroup,
  output: pageOf(doorway),
})

export const listUnboundDoorways = call({
  route: 'GET Doorway/GetNotBindGroup',
  title: '不在门组的门',
  needs: permissions.view,
  input: ofGroup,
  output: pageOf(doorway),
})

const doorwaysOfGroup = shape({ groupId: groupIdField, doorwayIds: doorwayList })

export const bindDoorways = call({
  route: 'POST Doorway/BindDoorway',
  title: '门组绑定门',
  needs: permissions.edit,
  affects: ['doorwayGroup', 'doorway'],
  input: doorwaysOfGroup,
  output: noData,
})

export const unbindDoorways = call({
  route: 'POST Doorway/UnbindDoor',
  title: '门组解绑门',
  needs: permissions.edit,
  affects: ['doorwayGroup', 'doorway'],
  input: doorwaysOfGroup,
  output: noData,
})
