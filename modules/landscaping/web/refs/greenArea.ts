import { createRefSource } from '#kit/web/refs.ts'
import { greenAreas } from '../../contract/green-area.ts'

/** Green areas of the project by name. */
export default createRefSource(greenAreas.list, {
  value: area => area.id,
  label: area => area.areaName,
  note: area => area.position,
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids] }),
})
