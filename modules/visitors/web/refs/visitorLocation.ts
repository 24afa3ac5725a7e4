import { createRefSource } from '#kit/web/refs.ts'
import { pickLocations } from '../../contract/location.ts'

export default createRefSource(pickLocations, {
  value: location => location.id,
  label: location => location.locationName,
  disabledReason: location => (location.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
