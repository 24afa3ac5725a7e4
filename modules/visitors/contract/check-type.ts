import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, lines } from '#kit/contract/field.ts'
import { listOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { checkType, visitorKind } from './choices.ts'

const kindFields = {
  visitorKind: choice('访客类别', visitorKind, { required: true, wire: 'VisitorKind' }),
  checkType: choice('核验方式', checkType, { required: true, initial: 'exempt', wire: 'CheckType' }),
  isEnabled: flag('启用', { required: true, initial: true, wire: 'Enabled' }),
} as const

/** Whose consent each kind of visitor needs in a project beside what the rule asks for. */
export const visitorCheckType = entity(
  'visitorCheckType',
  '访客核验类型',
  { table: 'visitor_check_type', tenancy: 'project', title: 'visitorKind', order: ['visitorKind'] },
  { projectCode: estateField(), ...kindFields },
)

export type VisitorCheckType = Row<typeof visitorCheckType>

const { permissions } = menu.setting

const list = listOf(visitorCheckType)

/** All kinds of a project: those that were never set are in use and need no consent of their own. */
export const listCheckTypes = call({
  route: 'GET PropertyEsateVisitorChecktype/Get',
  title: '查询访客核验类型',
  needs: permissions.view,
  input: shape({ projectCode: estateField<true>() }),
  output: list,
})

export const saveCheckType = call({
  route: 'PUT PropertyEsateVisitorChecktype/Put',
  title: '修改访客核验类型',
  needs: permissions.edit,
  affects: ['visitorCheckType'],
  input: shape({ projectCode: estateField<true>(), ...kindFields }),
  output: list,
})

export const saveCheckTypes = call({
  route: 'POST PropertyEsateVisitorChecktype/BatchPut',
  aliases: ['PUT PropertyEsateVisitorChecktype/BatchPut'],
  title: '批量修改访客核验类型',
  needs: permissions.edit,
  affects: ['visitorCheckType'],
  input: shape({
    projectCode: estateField<true>(),
    kinds: lines('核验类型', kindFields, { required: true, max: 20, wire: ['Items', 'List'] }),
  }),
  output: list,
})
