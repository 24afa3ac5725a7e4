import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, flag, int, lines, text } from '#kit/contract/field.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import { menu } from '../module.ts'
import { checkType, hostType, visitorKind } from './choices.ts'
import { buildingList, doorwayGroupList, inDetail } from './fields.ts'
import { maxQuestions, questionFields } from './question.ts'

/** Who may invite whom, for how long, how often, and whose consent it needs (VIS-1). */
export const inviteRule = entity(
  'inviteRule',
  '邀请规则',
  { table: 'invite_rule', tenancy: 'project', title: 'ruleName', order: ['id'] },
  {
    projectCode: estateField(),
    ruleName: text('规则名', { required: true, max: 40, searchable: true }),
    buildCodes: buildingList,
    hostTypes: choices('邀请方', hostType, {
      required: true,
      initial: ['resident', 'company', 'staff'],
      wire: 'HostTypes',
      hiddenIn: ['filter'],
    }),
    relations: choices('可邀请的住户', relation, {
      wire: 'WhoCan',
      help: '不选为全部住户',
      hiddenIn: ['table', 'filter'],
    }),
    visitorKinds: choices('访客类别', visitorKind, {
      wire: 'VisitorKinds',
      help: '不选为全部类别',
      hiddenIn: ['filter'],
    }),
    advanceDays: int('可提前', {
      required: true,
      initial: 7,
      min: 0,
      max: 90,
      unit: '天',
      help: '最多可提前几天邀请；0 为只能邀请当天',
      hiddenIn: ['filter'],
    }),
    maxHours: int('最长时长', {
      required: true,
      initial: 24,
      min: 1,
      max: 2160,
      unit: '小时',
      help: '一次来访从开始到结束最长多久；延长最多再加同样长',
      hiddenIn: ['filter'],
    }),
    maxTimes: int('通行次数', {
      required: true,
      initial: 1,
      min: 1,
      max: 999,
      help: '邀请码进、出各可通行几次',
      hiddenIn: ['filter'],
    }),
    maxPersons: int('最多人数', { required: true, initial: 10, min: 1, max: 500, hiddenIn: ['filter'] }),
    needsCert: flag('需证件', { required: true, initial: false, wire: 'NeedCert', hiddenIn: ['filter'] }),
    needsFace: flag('需人脸', { required: true, initial: false, wire: 'NeedFace', hiddenIn: ['filter'] }),
    allowsCar: flag('允许车辆', { required: true, initial: true, wire: 'AllowCar', hiddenIn: ['filter'] }),
    checkType: choice('核验方式', checkType, { required: true, initial: 'exempt' }),
    doorwayGroupIds: doorwayGroupList,
    questions: lines('自定义问题', questionFields, { max: maxQuestions, wire: 'Questions', ...inDetail }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
  },
)

export type InviteRule = Row<typeof inviteRule>

export const inviteRules = crud(inviteRule, {
  path: 'InviteRules',
  permissions: menu.rule.permissions,
  filters: ['checkType', 'state'],
})

export const pickRules = pickerOf(inviteRule, {
  route: 'GET InviteRules/GetPick',
  title: '选择邀请规则',
  fields: ['id', 'ruleName', 'checkType', 'state'],
  search: { ids: idsFilter },
})
