import { call } from '#kit/contract/call.ts'
import { choice, flag, idOf, text } from '#kit/contract/field.ts'
import { noData, reasonField, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { personLinkKind } from './choices.ts'

const linkFields = {
  kind: choice('类型', personLinkKind, { required: true, wire: 'Kind' }),
  id: idOf('编号', { required: true, min: 1, wire: 'ID' }),
} as const

/** The links of one home or job, as staff hand them out. */
export const personLinkFields = {
  ...linkFields,
  placeName: text('地点', { required: true, wire: 'PlaceName' }),
  /** None while the links are void. */
  url: text('链接', { wire: 'Url' }),
  isVoid: flag('已作废', { required: true, wire: 'Void' }),
} as const

export const linkedPlace = shape(linkFields)

export type LinkedPlace = NonNullable<typeof linkedPlace.T>

const change = {
  needs: menu.passCode.permissions.edit,
  input: shape({ ...linkFields, reason: reasonField }),
  output: noData,
} as const

/** The links of a home or a job, for doors and for visitors, open nothing until they are made again. */
export const voidPersonLink = call({ route: 'POST DoorPass/VoidLink', title: '作废链接', ...change })

/** Links that were never there before; the earlier ones open nothing any more. */
export const renewPersonLink = call({ route: 'POST DoorPass/RenewLink', title: '重新生成链接', ...change })
