import { createRefSource } from '#kit/web/refs.ts'
import { pickHubs } from '../../contract/hub.ts'

/** Piles by name or number. */
export default createRefSource(pickHubs, {
  value: hub => hub.id,
  label: hub => hub.hubName,
  note: hub => [hub.hubNo, hub.location].filter(Boolean).join(' · '),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
