import { labelOf } from '#kit/contract/field.ts'
import { createRefSource } from '#kit/web/refs.ts'
import { chargeMode } from '../../contract/choices.ts'
import { pickStandards } from '../../contract/standard.ts'

/** What charging costs in the form's project. */
export default createRefSource(pickStandards, {
  value: standard => standard.id,
  label: standard => standard.standardName,
  note: standard => labelOf(chargeMode, standard.chargeMode),
  disabledReason: standard => (standard.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
