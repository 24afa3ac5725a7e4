import { createRefSource } from '#kit/web/refs.ts'
import { devices } from '../../contract/log.ts'

export default createRefSource(devices.list, {
  value: row => row.id,
  label: row => row.deviceName,
  note: row => row.place,
})
