import { createRefSource } from '#kit/web/refs.ts'
import { patrolAreas } from '../../contract/area.ts'

export default createRefSource(patrolAreas.list, {
  value: area => area.id,
  label: area => area.areaName,
  ofFormProject: true,
})
