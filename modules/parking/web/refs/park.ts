import { createRefSource } from '#kit/web/refs.ts'
import { listParks } from '../../contract/park.ts'

/** Car parks of the form's project, or of the one chosen above. */
export default createRefSource(listParks, {
  value: p => p.id,
  label: p => p.name,
  note: p => p.estateName,
  disabledReason: p => (p.state === 'off' ? '停车场已停用' : undefined),
  ofFormProject: true,
})
