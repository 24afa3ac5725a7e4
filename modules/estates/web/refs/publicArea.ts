import { createRefSource } from '#kit/web/refs.ts'
import { publicAreas } from '../../contract/public-area.ts'

/** Public areas of the form's project, or of the one chosen above. */
export default createRefSource(publicAreas.list, {
  value: row => row.id,
  label: row => row.name,
  note: row => row.estateName,
  ofFormProject: true,
})
