import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, moment, ref, text } from '#kit/contract/field.ts'
import { byIdsWithReason, listOf, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { fingerprintTemplateField } from '#modules/staff/contract/fingerprint.ts'
import { finger } from '#modules/staff/contract/labels.ts'
import { menu } from '../module.ts'

const userRef = ref('住户', 'resident', { required: true, immutable: true, wire: ['UserID', 'UserId'] })
const fingerField = choice('手指', finger, { required: true, wire: 'FingerNo' })
const deviceField = text('采集设备', { max: 60, wire: 'deviceSn' })

/**
 * One finger of a resident or a company worker as a key, in every project where the person has a way in. Its
 * template is stored encrypted beside it and is answered by no call.
 */
export const residentFingerprint = entity(
  'residentFingerprint',
  '住户指纹',
  { table: 'resident_fingerprint', tenancy: 'company', title: 'fingerNo', order: ['fingerNo'] },
  {
    userId: userRef,
    fingerNo: fingerField,
    deviceSn: deviceField,
    /** When the person agreed to the capture: it is biometric data. */
    consentTime: moment('同意时间', { required: true, immutable: true, wire: 'ConsentTime' }),
  },
)

export type ResidentFingerprint = Row<typeof residentFingerprint>

const path = 'PropertyUserFingerprint'
const affects = [residentFingerprint.name, 'resident']

export const listResidentFingerprints = call({
  route: `GET ${path}/Get`,
  title: '查询住户指纹',
  needs: menu.card.permissions.view,
  input: shape({ userId: idOf('住户', { required: true, min: 1, wire: ['UserID', 'UserId'] }) }),
  output: listOf(residentFingerprint),
})

/** Enrols a finger; one that is enrolled already is replaced. */
export const saveResidentFingerprint = call({
  route: `POST ${path}/Save`,
  title: '采集住户指纹',
  needs: menu.card.permissions.add,
  input: shape({
    userId: userRef,
    fingerNo: fingerField,
    deviceSn: deviceField,
    template: fingerprintTemplateField,
    isConsented: flag('本人已同意', { required: true, wire: 'Consented' }),
  }),
  output: recordOf(residentFingerprint),
  affects,
})

export const deleteResidentFingerprints = call({
  route: `POST ${path}/Delete`,
  title: '删除住户指纹',
  needs: menu.card.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects,
})
