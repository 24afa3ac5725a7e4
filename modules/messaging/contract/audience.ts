import {
  choice,
  choices,
  choiceTable,
  idOf,
  int,
  list,
  money,
  part,
  type ValueOf,
} from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { idRule } from '#kit/contract/shape.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { relation } from '#modules/residents/contract/relation.ts'

/** NOT-1: who is chosen. Residents, but for `departments`, which are staff, and own `numbers`. */
export const audienceScope = choiceTable('NoticeScope', '发送范围', {
  all: [10, '全部住户'],
  projects: [20, '项目'],
  buildings: [30, '楼栋'],
  units: [40, '单元'],
  rooms: [50, '房屋'],
  tags: [60, '标签'],
  departments: [70, '部门'],
  persons: [80, '指定人员'],
  numbers: [90, '自有号码'],
})

export type AudienceScope = keyof typeof audienceScope.rows

const maxListed = 2000

/** Own numbers that are typed: as many as one request takes beside the other values; a file takes more. */
export const maxNumbers = 19_000

/** What the scope selects, and whom of it. A building is `项目编码/楼栋编码`, a unit has its name behind. */
export const audienceValueFields = {
  projectCodes: list('项目', {
    max: 500,
    target: 'estate',
    targetBy: 'key',
    dataDomain: 'project',
    wire: 'ProjectCodes',
  }),
  buildingCodes: list('楼栋', { max: maxListed, wire: 'BuildingCodes' }),
  units: list('单元', { max: maxListed, wire: 'Units' }),
  roomIds: list('房屋', { max: maxListed, rule: idRule, wire: 'RoomIDs' }),
  tags: list('标签', { max: 20, wire: 'Tags' }),
  departmentIds: list('部门', {
    max: 200,
    target: 'department',
    targetBy: 'id',
    rule: idRule,
    wire: 'DepartmentIDs',
  }),
  userIds: list('住户', {
    max: maxListed,
    target: 'resident',
    targetBy: 'id',
    rule: idRule,
    wire: 'UserIDs',
  }),
  staffIds: list('员工', { max: maxListed, target: 'staff', targetBy: 'id', rule: idRule, wire: 'StaffIDs' }),
  mobiles: list('号码', { max: maxNumbers, rule: rules.mobile, wire: 'Mobiles' }),
  numberFileId: idOf('号码文件', { min: 1, wire: 'NumberFileID' }),
  relations: choices('与房屋的关系', relation, { wire: 'Relations', help: '不选为全部' }),
  arrearsAmount: money('欠费不少于', { min: 1, wire: 'ArrearsAmount' }),
  arrearsMonths: int('欠费月数不少于', { min: 1, max: 120, unit: '个月', wire: 'ArrearsMonths' }),
}

export const audienceFields = {
  scopeType: choice('发送范围', audienceScope, { required: true, initial: 'all', wire: 'ScopeType' }),
  scopeJson: part('范围值', audienceValueFields, {
    wire: 'ScopeJson',
    hiddenIn: ['table', 'filter', 'sheet'],
  }),
}

export type Audience = ValueOf<typeof audienceFields>
export type AudienceValues = ValueOf<typeof audienceValueFields>

/** The lists that a scope takes; at least one of them must not be empty. */
export const listsOfScope: Record<AudienceScope, readonly (keyof AudienceValues)[]> = {
  all: [],
  projects: ['projectCodes'],
  buildings: ['buildingCodes'],
  units: ['units'],
  rooms: ['roomIds'],
  tags: ['tags'],
  departments: ['departmentIds'],
  persons: ['userIds', 'staffIds'],
  numbers: ['mobiles', 'numberFileId'],
}

const askedFor: Partial<Record<AudienceScope, string>> = {
  projects: '请选择项目',
  buildings: '请选择楼栋',
  units: '请选择单元',
  rooms: '请选择房屋',
  tags: '请填写标签',
  departments: '请选择部门',
  persons: '请选择住户或员工',
  numbers: '请填写手机号，或上传号码文件',
}

const isEmpty = (value: unknown): boolean => (Array.isArray(value) ? value.length === 0 : value === undefined)

const partsOf = (keys: readonly string[] | undefined, count: number): boolean =>
  (keys ?? []).every(key => key.split('/').length === count && !key.split('/').includes(''))

/** What is missing or malformed in an audience; none where it may be sent to. */
export function audienceFaults({ scopeType, scopeJson = {} }: Partial<Audience>): FieldFault[] {
  if (!scopeType) return [{ Field: 'ScopeType', Message: '请选择发送范围' }]
  const needed = listsOfScope[scopeType]
  if (needed.length > 0 && needed.every(key => isEmpty(scopeJson[key])))
    return [{ Field: 'ScopeJson', Message: askedFor[scopeType] ?? '' }]
  if (scopeType === 'buildings' && !partsOf(scopeJson.buildingCodes, 2))
    return [{ Field: 'ScopeJson', Message: '楼栋应写成“项目编码/楼栋编码”' }]
  if (scopeType === 'units' && !partsOf(scopeJson.units, 3))
    return [{ Field: 'ScopeJson', Message: '单元应写成“项目编码/楼栋编码/单元”' }]
  return []
}
