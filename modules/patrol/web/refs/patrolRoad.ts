import { createRefSource } from '#kit/web/refs.ts'
import { pickRoads } from '../../contract/road.ts'

/** Roads of the form's project by name. */
export default createRefSource(pickRoads, {
  value: road => road.id,
  label: road => road.roadName,
  note: road => `${road.pointCount ?? 0} 个点位 · ${road.totalMinutes} 分钟`,
  disabledReason: road => (road.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
