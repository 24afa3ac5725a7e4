import { createRefSource } from '#kit/web/refs.ts'
import { taskStandards } from '../../contract/standard.ts'

/** Standards by name; one that is out of use or a mere heading is shown and cannot be chosen. */
export default createRefSource(taskStandards.list, {
  value: row => row.id,
  label: row => row.standardName,
  note: row => (row.itemCount ? `${row.itemCount} 项` : '无检查项'),
  disabledReason: row => (row.state === 'on' ? undefined : '已停用'),
})
