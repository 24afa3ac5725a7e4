import { labelOf } from '#kit/contract/field.ts'
import { refOf } from '#kit/web/refs.ts'
import { meterKind } from '../../contract/choices.ts'
import { listMeters } from '../../contract/device.ts'

/** Meters by number or room; those of the form's project where it names one. */
export default refOf(listMeters, {
  value: m => m.id,
  label: m => m.meterNo,
  note: m => [labelOf(meterKind, m.meterKind), m.sourceName].filter(Boolean).join(' · '),
  off: m => (m.state === 'replaced' ? '已更换' : undefined),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})
