import { refOf } from '#kit/web/refs.ts'
import { listAreas } from '#modules/estates/contract/area.ts'

/** Public areas by their code, as relations keep them. */
export default refOf(listAreas, {
  value: a => a.code,
  label: a => a.name,
  note: a => a.buildName,
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}),
  hangsOn: ['projectCode'],
})
