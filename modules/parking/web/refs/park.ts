import { refOf } from '#kit/web/refs.ts'
import { listParks } from '../../contract/park.ts'

/** Car parks of the form's project, or of the one chosen above. */
export default refOf(listParks, {
  value: p => p.id,
  label: p => p.name,
  note: p => p.estateName,
  off: p => (p.state === 'off' ? '停车场已停用' : undefined),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})
