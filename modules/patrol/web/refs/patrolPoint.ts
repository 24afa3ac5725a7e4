import { createRefSource } from '#kit/web/refs.ts'
import { pickPoints } from '../../contract/point.ts'

/** Points of the form's project by number or name. */
export default createRefSource(pickPoints, {
  value: point => point.id,
  label: point => point.pointName,
  note: point => [point.pointCode, point.areaName].filter(Boolean).join(' · '),
  disabledReason: point => (point.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
