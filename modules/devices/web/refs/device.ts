import { createRefSource } from '#kit/web/refs.ts'
import { pickDevices } from '../../contract/device.ts'

/** Devices by name or number; those of the form's project where it names one. */
export default createRefSource(pickDevices, {
  value: row => row.id,
  label: row => row.name,
  note: row => [row.devNo, row.location].filter(Boolean).join(' · '),
  ofFormProject: true,
})
