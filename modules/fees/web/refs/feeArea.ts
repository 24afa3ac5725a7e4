import { createRefSource } from '#kit/web/refs.ts'
import { publicAreas } from '#modules/estates/contract/public-area.ts'

/** Public areas by their code, as relations keep them. */
export default createRefSource(publicAreas.list, {
  value: a => a.code,
  label: a => a.name,
  note: a => a.buildName,
  ofFormProject: true,
})
