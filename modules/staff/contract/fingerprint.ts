import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, idOf, ref, text, type Rule } from '#kit/contract/field.ts'
import { byIdsWithReason, listOf, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { finger } from './labels.ts'

const staffRef = ref('员工', 'staff', { required: true, immutable: true, wire: ['StaffID', 'StaffId'] })
const fingerField = choice('手指', finger, { required: true, wire: 'FingerNo' })
const deviceField = text('采集设备', { max: 60, wire: 'deviceSn' })

/** One finger of a member of staff. Its template is stored encrypted beside it and is answered by no call. */
export const staffFingerprint = entity(
  'staffFingerprint',
  '员工指纹',
  { table: 'staff_fingerprint', tenancy: 'company', title: 'fingerNo', order: ['fingerNo'] },
  { staffId: staffRef, fingerNo: fingerField, deviceSn: deviceField },
)

export type StaffFingerprint = Row<typeof staffFingerprint>

/** A template as readers give it: base64 or hexadecimal. */
const templateRule: Rule = {
  name: 'fingerprintTemplate',
  test: value => (/^[A-Za-z0-9+/=_-]{16,}$/.test(value) ? undefined : '指纹模板格式错误，请重新采集'),
}

/** It goes in and never out: no call answers it, no log has it. */
export const fingerprintTemplateField = text('指纹模板', {
  required: true,
  max: 20_000,
  wire: 'template',
  masked: 'secret',
  rule: templateRule,
})

export const listStaffFingerprints = call({
  route: 'GET NinternalStaff/GetFinger',
  title: '查询员工指纹',
  needs: menu.staff.permissions.view,
  input: shape({ staffId: idOf('员工', { required: true, min: 1, wire: ['StaffID', 'StaffId'] }) }),
  output: listOf(staffFingerprint),
})

/** Enrols a finger; one that is enrolled already is replaced. */
export const saveStaffFingerprint = call({
  route: 'POST NinternalStaff/SaveFinger',
  title: '采集员工指纹',
  needs: menu.staff.permissions.fingerprint,
  input: shape({
    staffId: staffRef,
    fingerNo: fingerField,
    deviceSn: deviceField,
    template: fingerprintTemplateField,
  }),
  output: recordOf(staffFingerprint),
  affects: ['staffFingerprint', 'staff'],
})

export const deleteStaffFingerprints = call({
  route: 'POST NinternalStaff/DeleteFinger',
  title: '删除员工指纹',
  needs: menu.staff.permissions.fingerprint,
  input: byIdsWithReason,
  output: noData,
  affects: ['staffFingerprint', 'staff'],
})
