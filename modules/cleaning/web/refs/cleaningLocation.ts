import { createRefSource } from '#kit/web/refs.ts'
import { cleaningLocations } from '../../contract/location.ts'

/** Points of the project by name. */
export default createRefSource(cleaningLocations.list, {
  value: point => point.id,
  label: point =>
    [point.buildName, point.floorNum === undefined ? undefined : `${point.floorNum} 层`, point.locationName]
      .filter(Boolean)
      .join(' '),
  note: point => point.templateName,
  disabledReason: point => (point.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids] }),
})
