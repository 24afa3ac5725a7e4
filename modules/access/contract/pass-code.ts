import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { day, lookup, moment, ref, systemChoice, text } from '#kit/contract/field.ts'
import { noData, pageOf, reasonField, recordIdsField, search, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { passCodeState } from './choices.ts'

/**
 * The code that a person shows to a reader on a telephone, one for each project. The code itself is in no
 * field: its owner alone sees it.
 */
export const passCode = entity(
  'passCode',
  '通行码',
  { table: 'pass_code', tenancy: 'project', title: 'userName', order: ['-id'] },
  {
    projectCode: estateField(),
    userId: ref('住户', 'resident', {
      immutable: true,
      wire: 'UserID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    userName: lookup('住户', 'userId', 'name', { wire: ['Username', 'UserName'], searchable: true }),
    staffId: ref('员工', 'staff', {
      immutable: true,
      wire: 'StaffID',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    staffName: lookup('员工', 'staffId', 'name', { wire: 'StaffName', searchable: true }),
    beginTime: moment('生成时间', { required: true, immutable: true }),
    endDate: day('有效期至', { required: true, immutable: true }),
    state: systemChoice('状态', passCodeState, 'valid'),
    /** Why one that nobody revoked opens nothing today: it is over, or its holder left. */
    invalidReason: text('失效原因', {
      derived: true,
      hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'],
    }),
    endReason: text('停用原因', { max: 200, immutable: true, hiddenIn: ['form', 'filter'] }),
  },
)

export type PassCode = Row<typeof passCode>

const { permissions } = menu.passCode

/** The one code of each person: those that were replaced are left out. */
export const listPassCodes = call({
  route: 'GET DoorPass/Get',
  title: '查询通行码',
  needs: permissions.view,
  input: search(passCode, ['userId', 'staffId', 'state', 'endDate']),
  output: pageOf(passCode),
})

const affects = ['passCode', 'doorway'] as const

/** The code opens nothing any more, and its owner gets no other until it is allowed again. */
export const revokePassCodes = call({
  route: 'POST DoorPass/Revoke',
  title: '停用通行码',
  needs: permissions.edit,
  affects,
  input: shape({ ids: recordIdsField, reason: reasonField }),
  output: noData,
})

/** Allows codes again: the owner gets a new one, the old one stays void. */
export const restorePassCodes = call({
  route: 'POST DoorPass/Restore',
  title: '恢复通行码',
  needs: permissions.edit,
  affects,
  input: shape({ ids: recordIdsField }),
  output: noData,
})
