import { createRefSource } from '#kit/web/refs.ts'
import { pickDoorways } from '../../contract/doorway.ts'

/** Doors of the form's project by name or number. */
export default createRefSource(pickDoorways, {
  value: doorway => doorway.id,
  label: doorway => doorway.doorwayName,
  note: doorway => [doorway.doorwayCode, doorway.buildName, doorway.unitName].filter(Boolean).join(' · '),
  disabledReason: doorway => (doorway.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
