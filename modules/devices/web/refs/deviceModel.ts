import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { systemType } from '../../contract/choices.ts'
import { pickDeviceModels } from '../../contract/device-model.ts'

export default createRefSource(pickDeviceModels, {
  value: row => row.id,
  label: row => row.name,
  note: row => [labelOf(systemType, row.systemType), row.driver].join(' · '),
  disabledReason: row => (row.state === 'off' ? '已停用' : undefined),
})
