import type { Fields } from '#kit/contract/field.ts'
import { controls, type Control } from '#kit/web/controls/kinds.tsx'
import { comer, linkFields } from '../contract/resident.ts'

/** Rows of a form with these members alone: the whole record would not fit a table. */
const rowsWith = (members: Fields): Control => { const Lines = controls.lines; return p => <Lines {...p} field={{ ...p.field, of: members }} /> }
/** Rooms of somebody, each by its code. */
export const RoomLines = rowsWith({
  roomCode: { ...linkFields.roomCode, label: '房屋', to: 'room', required: true } as never, relation: linkFields.relation, isMain: linkFields.isMain, isPayer: linkFields.isPayer,
  inDate: linkFields.inDate, leaseBegin: linkFields.leaseBegin, leaseEnd: linkFields.leaseEnd, pending: linkFields.pending,
})
/** People who come together: known ones are chosen, new ones are named. */
export const PeopleLines = rowsWith({
  userId: { ...comer.userId, kind: 'ref', to: 'resident', label: '已有住户' } as never, name: { ...comer.name, label: '姓名' }, mobile: comer.mobile, relation: comer.relation, isMain: comer.isMain, isPayer: comer.isPayer,
  certType: comer.certType, certNo: comer.certNo, gender: comer.gender,
})
/** New owners of a room. */
export const OwnerLines = rowsWith({ userId: { ...comer.userId, kind: 'ref', to: 'resident', label: '已有住户' } as never, name: { ...comer.name, label: '姓名' }, mobile: comer.mobile, certType: comer.certType, certNo: comer.certNo, isMain: comer.isMain, isPayer: comer.isPayer })
/** Each row names a known person or gives a name. */
export const nameless = (people: readonly { readonly userId?: number | undefined; readonly name?: string | undefined }[] | undefined): string | undefined =>
  !people?.length ? '请至少添加一位住户' : people.some(p => !p.userId && !p.name?.trim()) ? '每一行请选择已有住户，或填写新住户的姓名' : undefined
