import { list, text, type Field } from '#kit/contract/field.ts'
import { idRule } from '#kit/contract/shape.ts'
import { buildingThrough } from '#modules/estates/contract/estate.ts'
import { normalizePlate, plateRule } from '#modules/parking/contract/licence-plate.ts'

export const inDetail = { hiddenIn: ['table', 'filter', 'sheet'] } as const
export const outOfForm = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const
/** References whose names stand beside them. */
export const hiddenReference = { hiddenIn: ['table', 'sheet', 'detail'] } as const

/** At most so many visitors under one invitation. */
export const maxVisitors = 50

/** As people write a plate: small letters and the dot are no fault. */
const typedPlateRule = { ...plateRule, test: (plate: string) => plateRule.test(normalizePlate(plate)) }

export const plateField = (options: Pick<Field, 'hiddenIn'> = {}) =>
  text('车牌', { max: 20, rule: typedPlateRule, wire: 'PlateNo', ...options })

/** Those who have buildings of a project alone see the visits to rooms in them. */
export const buildingOfRoom = buildingThrough('roomId')

export const doorwayGroupList = {
  ...list('可通行门组', {
    max: 50,
    rule: idRule,
    wire: 'DoorwayGroupIDs',
    help: '访客凭邀请码可开的门；不选则只由门岗核验',
    ...inDetail,
  }),
  target: 'doorwayGroup',
  targetBy: 'id' as const,
}

export const buildingList = {
  ...list('适用楼栋', { max: 200, wire: ['ScopeJson', 'Buildcodes'], help: '不选为整个项目', ...inDetail }),
  target: 'building',
  targetBy: 'key' as const,
}
