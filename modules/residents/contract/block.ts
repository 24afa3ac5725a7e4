import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choices, day, flag, idOf, ref, text } from '#kit/contract/field.ts'
import {
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  search,
  shape,
  reasonField,
} from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { blockScope, certField, mobileField, nameRule } from './labels.ts'

/**
 * Who is kept out of a project, from what, why, and until when (BASE-15). Also people who are no residents.
 */
export const residentBlock = entity(
  'residentBlock',
  '黑名单',
  { table: 'user_blocklist', tenancy: 'project', title: 'name', order: ['-id'] },
  {
    projectCode: estateField(),
    userId: ref('住户', 'resident', { wire: 'UserID', hiddenIn: ['table', 'filter'] }),
    name: text('姓名', {
      required: true,
      max: 40,
      rule: nameRule,
      searchable: true,
      wire: ['Name', 'Username'],
    }),
    mobile: mobileField('手机'),
    certNo: certField({ hiddenIn: ['filter'] }),
    scope: choices('限制范围', blockScope, {
      required: true,
      initial: ['visit', 'access', 'booking'],
      wire: 'Scope',
    }),
    reason: reasonField,
    expireDate: day('到期', { help: '当天仍有效；不填为永久' }),
  },
)

export type ResidentBlock = Row<typeof residentBlock>

export const listResidentBlocks = call({
  route: 'GET Userblocklist/Get',
  title: '查询黑名单',
  needs: menu.block.permissions.view,
  input: search(residentBlock, ['expireDate', 'createTime', 'scope'], {
    userId: idOf('住户', { wire: 'UserID', min: 1 }),
    onlyCurrent: flag('仅看有效', { wire: 'Live' }),
  }),
  output: pageOf(residentBlock),
})

export const addResidentBlock = call({
  route: 'POST Userblocklist/Post',
  title: '加入黑名单',
  needs: menu.block.permissions.add,
  input: draftOf(residentBlock),
  output: recordOf(residentBlock),
  affects: ['residentBlock', 'resident'],
})

export const deleteResidentBlocks = call({
  route: 'DELETE Userblocklist/Delete',
  title: '移出黑名单',
  needs: menu.block.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['residentBlock', 'resident'],
})

/** Puts a resident on the list of a project, changes what is there, or takes the resident off it. */
export const updateResidentBlock = call({
  route: 'POST User/UpdateBlocklist',
  title: '更新住户黑名单',
  needs: menu.block.permissions.edit,
  affects: ['residentBlock', 'resident'],
  input: shape({
    userId: idOf('住户', { required: true, wire: ['ID', 'UserID'], min: 1 }),
    projectCode: estateField<true>(),
    isBlock: flag('拉黑', { required: true }),
    scope: choices('限制范围', blockScope),
    reason: reasonField,
    expireDate: residentBlock.fields.expireDate,
  }),
  output: noData,
})
