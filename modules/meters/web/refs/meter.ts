import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { meterKind } from '../../contract/choices.ts'
import { listMeters } from '../../contract/meter-calls.ts'

/** Meters by number or room; those of the form's project where it names one. */
export default createRefSource(listMeters, {
  value: m => m.id,
  label: m => m.meterNo,
  note: m => [labelOf(meterKind, m.meterKind), m.sourceName].filter(Boolean).join(' · '),
  disabledReason: m => (m.state === 'replaced' ? '已更换' : undefined),
  ofFormProject: true,
})
