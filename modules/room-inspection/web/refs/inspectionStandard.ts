import { createRefSource } from '#kit/web/refs.ts'
import { inspectionStandards } from '../../contract/standard.ts'

/** Standards by name; one that is out of use is shown and cannot be chosen. */
export default createRefSource(inspectionStandards.list, {
  value: row => row.id,
  label: row => row.standardName,
  note: row => row.roomTypes,
  disabledReason: row => (row.state === 'on' ? undefined : '已停用'),
})
