import { createRefSource } from '#kit/web/refs.ts'
import { labelOf } from '#kit/contract/field.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { pickLanes } from '../../contract/park-lane.ts'

/** Lanes of the form's project by name. */
export default createRefSource(pickLanes, {
  value: lane => lane.id,
  label: lane => lane.laneName,
  note: lane => [lane.parkName, labelOf(passageDirection, lane.direction)].filter(Boolean).join(' · '),
  disabledReason: lane => (lane.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
